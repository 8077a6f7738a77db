/// The catalogue: every code that a finding or a failure can carry. Raw values are stable and never change meaning.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum FindingCode: String, Sendable, Hashable, CaseIterable {
    case ioError = "IO_ERROR"
    case downloadHTTPStatus = "DOWNLOAD_HTTP_STATUS"
    case downloadTruncated = "DOWNLOAD_TRUNCATED"
    case downloadChecksumMismatch = "DOWNLOAD_CHECKSUM_MISMATCH"
    case downloadValidatorChanged = "DOWNLOAD_VALIDATOR_CHANGED"
    case downloadNotInCache = "DOWNLOAD_NOT_IN_CACHE"
    case downloadContentTypeMismatch = "DOWNLOAD_CONTENT_TYPE_MISMATCH"
    case downloadBlockedAddress = "DOWNLOAD_BLOCKED_ADDRESS"
    case downloadTooLarge = "DOWNLOAD_TOO_LARGE"
    case downloadTimeout = "DOWNLOAD_TIMEOUT"
    case downloadTooManyRedirects = "DOWNLOAD_TOO_MANY_REDIRECTS"
    case downloadURLInvalid = "DOWNLOAD_URL_INVALID"
    case downloadHostNotFound = "DOWNLOAD_HOST_NOT_FOUND"
    case downloadConnectionFailed = "DOWNLOAD_CONNECTION_FAILED"
    case downloadTLSFailed = "DOWNLOAD_TLS_FAILED"
    case sourceNotFound = "SOURCE_NOT_FOUND"
    case assetCancelled = "ASSET_CANCELLED"
    case assetUnknown = "ASSET_UNKNOWN"
    case assetActionRefused = "ASSET_ACTION_REFUSED"
    case workerOutOfMemory = "WORKER_OUT_OF_MEMORY"
    case workerProcessorTimeExceeded = "WORKER_CPU_EXCEEDED"
    case workerTimeExceeded = "WORKER_TIME_EXCEEDED"
    case workerCrashed = "WORKER_CRASHED"
    case workerKilled = "WORKER_KILLED"
    case workerLost = "WORKER_LOST"
    case storageFull = "STORAGE_FULL"
    case customRule = "CUSTOM_RULE"

    case archiveInvalid = "ARCHIVE_INVALID"
    case archivePathTraversal = "ARCHIVE_PATH_TRAVERSAL"
    case archiveSymlink = "ARCHIVE_SYMLINK"
    case archiveDuplicateEntry = "ARCHIVE_DUPLICATE_ENTRY"
    case archiveCaseCollision = "ARCHIVE_CASE_COLLISION"
    case archiveOverlap = "ARCHIVE_OVERLAP"
    case archiveSizeMismatch = "ARCHIVE_SIZE_MISMATCH"
    case archiveRatioExceeded = "ARCHIVE_RATIO_EXCEEDED"
    case archiveTotalSizeExceeded = "ARCHIVE_TOTAL_SIZE_EXCEEDED"
    case archiveEntryCountExceeded = "ARCHIVE_ENTRY_COUNT_EXCEEDED"
    case archiveDepthExceeded = "ARCHIVE_DEPTH_EXCEEDED"
    case archiveEncrypted = "ARCHIVE_ENCRYPTED"
    case archiveUnsupportedMethod = "ARCHIVE_UNSUPPORTED_METHOD"
    case archiveNameEncoding = "ARCHIVE_NAME_ENCODING"
    case archiveJunkEntry = "ARCHIVE_JUNK_ENTRY"
    case archiveExtraBytes = "ARCHIVE_EXTRA_BYTES"
    case archiveExtensionMismatch = "ARCHIVE_EXTENSION_MISMATCH"
    case zaeManifestMissing = "ZAE_MANIFEST_MISSING"
    case zaeManifestInvalid = "ZAE_MANIFEST_INVALID"
    case zaeRootNotFound = "ZAE_ROOT_NOT_FOUND"
    case kmzDocMissing = "KMZ_DOC_MISSING"
    case kmzModelLinkBroken = "KMZ_MODEL_LINK_BROKEN"
    case bundleNoScene = "BUNDLE_NO_SCENE"
    case bundleMultipleScenes = "BUNDLE_MULTIPLE_SCENES"
    case bundleNestedArchive = "BUNDLE_NESTED_ARCHIVE"
    case bundleUnusedFile = "BUNDLE_UNUSED_FILE"
    case bundleDuplicateContent = "BUNDLE_DUPLICATE_CONTENT"

    case xmlNotWellFormed = "XML_NOT_WELL_FORMED"
    case xmlRecovered = "XML_RECOVERED"
    case xmlDoctypeForbidden = "XML_DOCTYPE_FORBIDDEN"
    case xmlDoctypeIgnored = "XML_DOCTYPE_IGNORED"
    case xmlEncodingMismatch = "XML_ENCODING_MISMATCH"
    case xmlEncodingUnsupported = "XML_ENCODING_UNSUPPORTED"
    case xmlDepthExceeded = "XML_DEPTH_EXCEEDED"
    case xmlSizeExceeded = "XML_SIZE_EXCEEDED"

    case docNotCollada = "DOC_NOT_COLLADA"
    case docNamespaceUnexpected = "DOC_NAMESPACE_UNEXPECTED"
    case docVersionUnsupported = "DOC_VERSION_UNSUPPORTED"
    case docVersionNamespaceMismatch = "DOC_VERSION_NAMESPACE_MISMATCH"

    case docEmpty = "DOC_EMPTY"

    case schemaMissingElement = "SCHEMA_MISSING_ELEMENT"
    case schemaMissingAttribute = "SCHEMA_MISSING_ATTRIBUTE"
    case schemaInvalidEnum = "SCHEMA_INVALID_ENUM"
    case schemaInvalidNumber = "SCHEMA_INVALID_NUMBER"
    case schemaListLength = "SCHEMA_LIST_LENGTH"
    case schemaUnexpectedElement = "SCHEMA_UNEXPECTED_ELEMENT"
    case schemaUnexpectedText = "SCHEMA_UNEXPECTED_TEXT"
    case schemaElementOrder = "SCHEMA_ELEMENT_ORDER"
    case schemaUnknownAttribute = "SCHEMA_UNKNOWN_ATTRIBUTE"
    case schemaInvalidID = "SCHEMA_INVALID_ID"
    case schemaInvalidDate = "SCHEMA_INVALID_DATE"
    case schemaInvalidValue = "SCHEMA_INVALID_VALUE"
    case schemaEmptyLibrary = "SCHEMA_EMPTY_LIBRARY"
    case schemaExtraUnknownProfile = "SCHEMA_EXTRA_UNKNOWN_PROFILE"
    case schemaXSD = "SCHEMA_XSD"

    case numberDecimalComma = "NUMBER_DECIMAL_COMMA"
    case numberNonFinite = "NUMBER_NON_FINITE"

    case idDuplicate = "ID_DUPLICATE"
    case sidDuplicate = "SID_DUPLICATE"
    case uriInvalid = "URI_INVALID"
    case uriUnsupportedScheme = "URI_UNSUPPORTED_SCHEME"
    case refUnresolved = "REF_UNRESOLVED"
    case refWrongType = "REF_WRONG_TYPE"
    case refByName = "REF_BY_NAME"
    case refMissingHash = "REF_MISSING_HASH"
    case refExternalUnresolved = "REF_EXTERNAL_UNRESOLVED"
    case refExternalBlocked = "REF_EXTERNAL_BLOCKED"
    case sidrefUnresolved = "SIDREF_UNRESOLVED"
    case sidrefAmbiguous = "SIDREF_AMBIGUOUS"
    case refCycle = "REF_CYCLE"
    case refUnused = "REF_UNUSED"

    case arrayCountMismatch = "ARRAY_COUNT_MISMATCH"
    case arrayTruncated = "ARRAY_TRUNCATED"
    case accessorNoSource = "ACCESSOR_NO_SOURCE"
    case accessorStrideTooSmall = "ACCESSOR_STRIDE_TOO_SMALL"
    case accessorOutOfRange = "ACCESSOR_OUT_OF_RANGE"
    case accessorOverflow = "ACCESSOR_OVERFLOW"
    case accessorParamType = "ACCESSOR_PARAM_TYPE"
    case accessorParamUnnamed = "ACCESSOR_PARAM_UNNAMED"
    case sourceEmpty = "SOURCE_EMPTY"
    case inputNoPosition = "INPUT_NO_POSITION"
    case inputNoVertex = "INPUT_NO_VERTEX"
    case inputDuplicateSemantic = "INPUT_DUPLICATE_SEMANTIC"
    case inputSetMissing = "INPUT_SET_MISSING"
    case inputOffsetGap = "INPUT_OFFSET_GAP"
    case inputOffsetTooLarge = "INPUT_OFFSET_TOO_LARGE"
    case inputUnknownSemantic = "INPUT_UNKNOWN_SEMANTIC"
    case primitiveCountMismatch = "PRIMITIVE_COUNT_MISMATCH"
    case primitiveIndexCount = "PRIMITIVE_INDEX_COUNT"
    case primitiveVcountMismatch = "PRIMITIVE_VCOUNT_MISMATCH"
    case primitiveIndexOutOfBounds = "PRIMITIVE_INDEX_OOB"
    case primitiveIndexNegative = "PRIMITIVE_INDEX_NEGATIVE"
    case primitiveTooFewVertices = "PRIMITIVE_TOO_FEW_VERTICES"
    case primitiveEmpty = "PRIMITIVE_EMPTY"
    case triangleDegenerate = "TRIANGLE_DEGENERATE"
    case polygonConcave = "POLYGON_CONCAVE"
    case polygonNonPlanar = "POLYGON_NON_PLANAR"
    case polygonSelfIntersecting = "POLYGON_SELF_INTERSECTING"
    case polygonHoles = "POLYGON_HOLES"
    case polygonHoleInvalid = "POLYGON_HOLE_INVALID"
    case normalNonUnit = "NORMAL_NON_UNIT"
    case normalZero = "NORMAL_ZERO"
    case tangentWithoutNormal = "TANGENT_WITHOUT_NORMAL"
    case meshBoundsDegenerate = "MESH_BOUNDS_DEGENERATE"
    case meshVerticesUnused = "MESH_VERTICES_UNUSED"
    case meshColorsBlack = "MESH_COLORS_BLACK"
    case meshColorsRange = "MESH_COLORS_RANGE"
    case perfUnindexed = "PERF_UNINDEXED"
    case perfDuplicateGeometry = "PERF_DUPLICATE_GEOMETRY"
    case geometryUnsupportedKind = "GEOMETRY_UNSUPPORTED_KIND"
    case animationSamplerInputMissing = "ANIMATION_SAMPLER_INPUT_MISSING"
    case animationInterpolationMissing = "ANIMATION_INTERPOLATION_MISSING"
    case animationCountMismatch = "ANIMATION_COUNT_MISMATCH"
    case animationTimeNotIncreasing = "ANIMATION_TIME_NOT_INCREASING"
    case animationTimeNegative = "ANIMATION_TIME_NEGATIVE"
    case animationTangentMissing = "ANIMATION_TANGENT_MISSING"
    case animationTangentLayout = "ANIMATION_TANGENT_LAYOUT"
    case animationUnknownInterpolation = "ANIMATION_UNKNOWN_INTERPOLATION"
    case animationEmpty = "ANIMATION_EMPTY"
    case animationTargetUnresolved = "ANIMATION_TARGET_UNRESOLVED"
    case animationTargetMemberInvalid = "ANIMATION_TARGET_MEMBER_INVALID"
    case animationTargetShared = "ANIMATION_TARGET_SHARED"
    case animationDuplicateTarget = "ANIMATION_DUPLICATE_TARGET"
    case animationClipRange = "ANIMATION_CLIP_RANGE"
    case animationClipRefUnresolved = "ANIMATION_CLIP_REF_UNRESOLVED"
    case skinSourceUnresolved = "SKIN_SOURCE_UNRESOLVED"
    case animationFullTurn = "ANIMATION_FULL_TURN"
    case perfConstantChannel = "PERF_CONSTANT_CHANNEL"
    case perfOversampled = "PERF_OVERSAMPLED"
    case skinVertexCountMismatch = "SKIN_VERTEX_COUNT_MISMATCH"
    case skinVcountMismatch = "SKIN_VCOUNT_MISMATCH"
    case skinVCount = "SKIN_V_COUNT"
    case skinJointIndexOutOfBounds = "SKIN_JOINT_INDEX_OOB"
    case skinWeightIndexOutOfBounds = "SKIN_WEIGHT_INDEX_OOB"
    case skinWeightsNotNormalized = "SKIN_WEIGHTS_NOT_NORMALIZED"
    case skinWeightsNegative = "SKIN_WEIGHTS_NEGATIVE"
    case skinTooManyInfluences = "SKIN_TOO_MANY_INFLUENCES"
    case skinJointUnresolved = "SKIN_JOINT_UNRESOLVED"
    case skinNoSkeletonRoot = "SKIN_NO_SKELETON_ROOT"
    case skinInverseBindCount = "SKIN_IBM_COUNT"
    case skinInverseBindNonInvertible = "SKIN_IBM_NON_INVERTIBLE"
    case skinBindShapeMissing = "SKIN_BIND_SHAPE_MISSING"
    case skinBindShapeNonInvertible = "SKIN_BIND_SHAPE_NON_INVERTIBLE"
    case skinMatrixNonAffine = "SKIN_MATRIX_NON_AFFINE"
    case skinVertexUnweighted = "SKIN_VERTEX_UNWEIGHTED"
    case skinJointRepeated = "SKIN_JOINT_REPEATED"
    case skinJointNameSpaces = "SKIN_JOINT_NAME_SPACES"
    case skinNotInstanced = "SKIN_NOT_INSTANCED"
    case skinNodeTransform = "SKIN_NODE_TRANSFORM"
    case skinSkeletonUnplaced = "SKIN_SKELETON_UNPLACED"
    case morphTargetUnresolved = "MORPH_TARGET_UNRESOLVED"
    case morphVertexCountMismatch = "MORPH_VERTEX_COUNT_MISMATCH"
    case morphWeightCountMismatch = "MORPH_WEIGHT_COUNT_MISMATCH"
    case morphWeightRange = "MORPH_WEIGHT_RANGE"
    case controllerChainUnsupported = "CONTROLLER_CHAIN_UNSUPPORTED"

    case sceneMissing = "SCENE_MISSING"
    case sceneMultipleVisualScenes = "SCENE_MULTIPLE_VISUAL_SCENES"
    case sceneInstanceUnresolved = "SCENE_INSTANCE_UNRESOLVED"
    case sceneNodeCountExceeded = "SCENE_NODE_COUNT_EXCEEDED"
    case workLimitExceeded = "WORK_LIMIT_EXCEEDED"
    case sceneBoundsApproximate = "SCENE_BOUNDS_APPROXIMATE"
    case nodeTransformNonAffine = "NODE_TRANSFORM_NON_AFFINE"
    case nodeLookatDegenerate = "NODE_LOOKAT_DEGENERATE"
    case nodeRotateAxisZero = "NODE_ROTATE_AXIS_ZERO"
    case nodeTransformSingular = "NODE_TRANSFORM_SINGULAR"
    case nodeTransformShear = "NODE_TRANSFORM_SHEAR"
    case nodeTransformMirrored = "NODE_TRANSFORM_MIRRORED"
    case nodeMultipleInstances = "NODE_MULTIPLE_INSTANCES"
    case nodeEmpty = "NODE_EMPTY"
    case assetMissing = "ASSET_MISSING"
    case assetUnitMissing = "ASSET_UNIT_MISSING"
    case assetUnitInvalid = "ASSET_UNIT_INVALID"
    case assetUnitNameMismatch = "ASSET_UNIT_NAME_MISMATCH"
    case assetUpAxisMissing = "ASSET_UP_AXIS_MISSING"
    case assetNestedUnit = "ASSET_NESTED_UNIT"
    case assetSizeImplausible = "ASSET_SIZE_IMPLAUSIBLE"
    case cameraInvalid = "CAMERA_INVALID"
    case lightInvalid = "LIGHT_INVALID"

    case materialBindMissing = "MATERIAL_BIND_MISSING"
    case materialSymbolUnbound = "MATERIAL_SYMBOL_UNBOUND"
    case materialSymbolUnused = "MATERIAL_SYMBOL_UNUSED"
    case materialBindVertexInput = "MATERIAL_BIND_VERTEX_INPUT"
    case materialTargetUnresolved = "MATERIAL_TARGET_UNRESOLVED"
    case texcoordMissing = "TEXCOORD_MISSING"
    case effectNoCommonProfile = "EFFECT_NO_COMMON_PROFILE"
    case effectTechniqueUnknown = "EFFECT_TECHNIQUE_UNKNOWN"
    case effectSeveralValues = "EFFECT_SEVERAL_VALUES"
    case effectParamUnresolved = "EFFECT_PARAM_UNRESOLVED"
    case textureDirectImage = "TEXTURE_DIRECT_IMAGE"
    case textureTexcoordEmpty = "TEXTURE_TEXCOORD_EMPTY"
    case transparencySuspect = "TRANSPARENCY_SUSPECT"
    case materialEmissionAmbientFull = "MATERIAL_EMISSION_AMBIENT_FULL"
    case colorOutOfRange = "COLOR_OUT_OF_RANGE"
    case textureSamplerUnresolved = "TEXTURE_SAMPLER_UNRESOLVED"
    case textureSurfaceUnresolved = "TEXTURE_SURFACE_UNRESOLVED"
    case imageEmptyURI = "IMAGE_EMPTY_URI"
    case imageURIIsDirectory = "IMAGE_URI_IS_DIRECTORY"
    case imageURIAbsolute = "IMAGE_URI_ABSOLUTE"
    case imageNotFound = "IMAGE_NOT_FOUND"
    case imageFoundByFallback = "IMAGE_FOUND_BY_FALLBACK"
    case imageAmbiguous = "IMAGE_AMBIGUOUS"
    case imageExtensionMismatch = "IMAGE_EXTENSION_MISMATCH"
    case imageUnsupportedFormat = "IMAGE_UNSUPPORTED_FORMAT"
    case imageDataInvalid = "IMAGE_DATA_INVALID"
    case imageTruncated = "IMAGE_TRUNCATED"
    case imageTooLarge = "IMAGE_TOO_LARGE"
    case imageNonPowerOfTwo = "IMAGE_NPOT"
    case imageUnused = "IMAGE_UNUSED"
    case resourcePackageUnknown = "RESOURCE_PACKAGE_UNKNOWN"
    case resourceModelUnknown = "RESOURCE_MODEL_UNKNOWN"
    case resourceEscapesRoot = "RESOURCE_ESCAPES_ROOT"
    case resourceOutside = "RESOURCE_OUTSIDE"
    case resourceDocumentLink = "RESOURCE_DOCUMENT_LINK"
    case resourceFetchLimit = "RESOURCE_FETCH_LIMIT"
    case robotDescriptionUnreadable = "ROBOT_DESCRIPTION_UNREADABLE"
    case robotMeshNotFound = "ROBOT_MESH_NOT_FOUND"
    case robotNameNotLiteral = "ROBOT_NAME_NOT_LITERAL"
    case robotScaleInvalid = "ROBOT_SCALE_INVALID"
    case robotScaleAmbiguous = "ROBOT_SCALE_AMBIGUOUS"

    case convertNothingDrawable = "CONVERT_NOTHING_DRAWABLE"
    case convertTooLarge = "CONVERT_TOO_LARGE"
    case convertWorkExceeded = "CONVERT_WORK_EXCEEDED"
    case convertLoss = "CONVERT_LOSS"
    case convertLibraryMissing = "CONVERT_LIBRARY_MISSING"
    case outputTooLarge = "OUTPUT_TOO_LARGE"
    case physicsRefUnresolved = "PHYSICS_REF_UNRESOLVED"
    case physicsShapeInvalid = "PHYSICS_SHAPE_INVALID"
    case physicsMassInvalid = "PHYSICS_MASS_INVALID"
    case physicsConvexSource = "PHYSICS_CONVEX_SOURCE"
    case kinematicsJointUnresolved = "KINEMATICS_JOINT_UNRESOLVED"
    case kinematicsLimitsInverted = "KINEMATICS_LIMITS_INVERTED"
    case kinematicsLinkCycle = "KINEMATICS_LINK_CYCLE"
    case kinematicsBindUnresolved = "KINEMATICS_BIND_UNRESOLVED"
    case kinematicsExtension = "KINEMATICS_EXTENSION"
    case formulaUnsupported = "FORMULA_UNSUPPORTED"

    case perfManyPrimitives = "PERF_MANY_PRIMITIVES"
    case perfDrawCalls = "PERF_DRAW_CALLS"
    case perfIndex32Bit = "PERF_INDEX_32BIT"
    case perfTextureMemory = "PERF_TEXTURE_MEMORY"

    case quirkEntryBackslash = "QUIRK_ENTRY_BACKSLASH"
    case quirkManifestBackslash = "QUIRK_MANIFEST_BACKSLASH"
    case quirkUpAxisCase = "QUIRK_UP_AXIS_CASE"
    case quirkColorWithoutAlpha = "QUIRK_COLOR_WITHOUT_ALPHA"
    case quirkSeveralIndexLists = "QUIRK_SEVERAL_INDEX_LISTS"
    case quirkBooleanCase = "QUIRK_BOOLEAN_CASE"
    case quirkShapeRadius = "QUIRK_SHAPE_RADIUS"
    case quirkTargetHash = "QUIRK_TARGET_HASH"
    case quirkTargetByElement = "QUIRK_TARGET_BY_ELEMENT"
    case quirkTargetMember = "QUIRK_TARGET_MEMBER"
    case quirkIDHash = "QUIRK_ID_HASH"
    case quirkSketchUpLinesCount = "QUIRK_SKETCHUP_LINES_COUNT"
    case quirkMatrixStride = "QUIRK_MATRIX_STRIDE"
    case quirkPositionInPrimitive = "QUIRK_POSITION_IN_PRIMITIVE"
    case quirkTextureDirectSurface = "QUIRK_TEXTURE_DIRECT_SURFACE"
    case quirkSamplerDirectImage = "QUIRK_SAMPLER_DIRECT_IMAGE"
}

// The library hashes an enum of raw values by these, which are texts; every finding is counted by its code.

extension FindingCode {
    public func hash(into hasher: inout Hasher) { withUnsafeBytes(of: self) { hasher.combine(bytes: $0) } }
}

// A switch, so that the compiler asks for the entry of a new code.

extension FindingCode {
    /// What the catalogue says of one code.
    private struct Entry {
        let severity: Severity
        let stage: FindingStage
        let title: String

        init(_ severity: Severity, _ stage: FindingStage, _ title: String) {
            self.severity = severity
            self.stage = stage
            self.title = title
        }
    }

    /// The severity a finding of this code has unless the caller overrides it.
    public var severity: Severity { entry.severity }
    /// The part of the work that finds it.
    public var stage: FindingStage { entry.stage }
    /// Whether it says that a budget was hit, not that something is wrong.
    package var isBudget: Bool { Self.budgets.contains(self) }

    private static let budgets: Set<FindingCode> = [
        .downloadTooLarge, .downloadTooManyRedirects, .archiveRatioExceeded, .archiveTotalSizeExceeded,
        .archiveEntryCountExceeded, .archiveDepthExceeded, .xmlDepthExceeded, .xmlSizeExceeded, .sceneNodeCountExceeded,
        .workLimitExceeded, .resourceFetchLimit, .workerOutOfMemory, .workerProcessorTimeExceeded, .workerTimeExceeded,
        .convertWorkExceeded, .outputTooLarge,
    ]

    /// One short sentence without a full stop.
    public var title: String { entry.title }

    private var entry: Entry {
        switch self {
        case .ioError: Entry(.error, .download, "Bytes could not be read or written")
        case .downloadHTTPStatus: Entry(.error, .download, "The server answered with a status other than success")
        case .downloadTruncated: Entry(.error, .download, "Fewer bytes arrived than were announced")
        case .downloadChecksumMismatch: Entry(.error, .download, "The bytes have another hash than expected")
        case .downloadValidatorChanged: Entry(.info, .download, "The file changed on the server while it was fetched")
        case .downloadNotInCache: Entry(.error, .download, "Nothing of this address is in the cache")
        case .downloadContentTypeMismatch: Entry(.error, .download, "The server sent a page instead of the file")
        case .downloadBlockedAddress: Entry(.error, .download, "The network policy does not allow this address")
        case .downloadTooLarge: Entry(.error, .download, "The download is larger than the budget")
        case .downloadTimeout: Entry(.error, .download, "The download took too long or stood still")
        case .downloadTooManyRedirects: Entry(.error, .download, "The address was redirected too often")
        case .downloadURLInvalid: Entry(.error, .download, "The address is no http or https address")
        case .downloadHostNotFound: Entry(.error, .download, "The host name is unknown")
        case .downloadConnectionFailed: Entry(.error, .download, "No connection to the server could be made or kept")
        case .downloadTLSFailed: Entry(.error, .download, "The server's certificate or encryption was refused")
        case .sourceNotFound: Entry(.error, .download, "There is no such file, folder or address")
        case .assetCancelled: Entry(.info, .download, "The work was stopped on request")
        case .assetUnknown: Entry(.error, .download, "There is no asset of this name")
        case .assetActionRefused: Entry(.error, .download, "What was asked for is not possible in the asset's state")
        case .workerOutOfMemory: Entry(.error, .download, "The work needed more memory than it may have")
        case .workerProcessorTimeExceeded:
            Entry(.error, .download, "The work needed more processor time than it may have")
        case .workerTimeExceeded: Entry(.error, .download, "The work took longer than it may")
        case .workerCrashed: Entry(.error, .download, "The process that did the work crashed")
        case .workerKilled: Entry(.error, .download, "The process that did the work was killed from outside")
        case .workerLost: Entry(.error, .download, "The process that did the work ended without a result")
        case .storageFull: Entry(.error, .download, "There is no room for more originals")
        case .customRule: Entry(.warning, .scene, "A rule that the program added was broken")
        case .archiveInvalid: Entry(.error, .archive, "The archive cannot be read")
        case .archivePathTraversal: Entry(.error, .archive, "An entry's name leads out of the bundle")
        case .archiveSymlink: Entry(.error, .archive, "An entry is a link or a special file")
        case .archiveDuplicateEntry: Entry(.warning, .archive, "Two entries have the same name")
        case .archiveCaseCollision: Entry(.warning, .archive, "Two names differ only in case or Unicode form")
        case .archiveOverlap: Entry(.error, .archive, "Entries share bytes")
        case .archiveSizeMismatch: Entry(.error, .archive, "An entry inflates to another size than declared")
        case .archiveRatioExceeded: Entry(.error, .archive, "An entry is compressed beyond the budget")
        case .archiveTotalSizeExceeded: Entry(.error, .archive, "The entries inflate to more than the budget")
        case .archiveEntryCountExceeded: Entry(.error, .archive, "The archive has more entries than the budget")
        case .archiveDepthExceeded: Entry(.error, .archive, "Archives are nested deeper than the budget")
        case .archiveEncrypted: Entry(.error, .archive, "An entry is encrypted")
        case .archiveUnsupportedMethod: Entry(.error, .archive, "An entry is compressed by an unknown method")
        case .archiveNameEncoding:
            Entry(.warning, .archive, "An entry's name is not in UTF-8, or holds control characters")
        case .archiveJunkEntry: Entry(.info, .archive, "Entries that a file manager left behind")
        case .archiveExtraBytes: Entry(.warning, .archive, "Bytes stand before or after the archive")
        case .archiveExtensionMismatch: Entry(.warning, .archive, "The content is not what the file's name says")
        case .zaeManifestMissing: Entry(.warning, .archive, "A .zae has no manifest.xml")
        case .zaeManifestInvalid: Entry(.error, .archive, "The manifest of a .zae cannot be read")
        case .zaeRootNotFound: Entry(.error, .archive, "The manifest names a document that is not there")
        case .kmzDocMissing: Entry(.warning, .archive, "A .kmz has no doc.kml")
        case .kmzModelLinkBroken: Entry(.error, .archive, "The model that doc.kml names is not there")
        case .bundleNoScene: Entry(.error, .archive, "The bundle has no scene that could be read")
        case .bundleMultipleScenes: Entry(.warning, .archive, "The bundle has several scenes; one was chosen by rule")
        case .bundleNestedArchive: Entry(.info, .archive, "The scene lies in an archive within the bundle")
        case .bundleUnusedFile: Entry(.info, .archive, "Nothing refers to a file of the bundle")
        case .bundleDuplicateContent: Entry(.hint, .archive, "Files of the bundle hold the same bytes")
        case .xmlNotWellFormed: Entry(.error, .xml, "The document is not well-formed XML")
        case .xmlRecovered: Entry(.warning, .xml, "A fault in the XML was read past")
        case .xmlDoctypeForbidden: Entry(.error, .xml, "The document declares entities")
        case .xmlDoctypeIgnored: Entry(.warning, .xml, "A document type declaration was ignored")
        case .xmlEncodingMismatch: Entry(.warning, .xml, "The bytes are not in the encoding that was declared")
        case .xmlEncodingUnsupported: Entry(.error, .xml, "The document's encoding is unknown")
        case .xmlDepthExceeded: Entry(.error, .xml, "Elements are nested deeper than the budget")
        case .xmlSizeExceeded: Entry(.error, .xml, "A tag, comment or text is larger than the budget")
        case .docNotCollada: Entry(.error, .schema, "The document is not COLLADA")
        case .docNamespaceUnexpected: Entry(.warning, .schema, "The document's namespace is not COLLADA's")
        case .docVersionUnsupported: Entry(.warning, .schema, "The document's version is none that is known")
        case .docVersionNamespaceMismatch:
            Entry(.warning, .schema, "Version and namespace belong to different COLLADA versions")
        case .docEmpty: Entry(.error, .scene, "Nothing in the document can be shown")
        case .schemaMissingElement: Entry(.error, .schema, "A required element is missing")
        case .schemaMissingAttribute: Entry(.error, .schema, "A required attribute is missing")
        case .schemaInvalidEnum: Entry(.warning, .schema, "A value is none of the allowed words")
        case .schemaInvalidNumber: Entry(.error, .schema, "A text is not a number")
        case .schemaListLength: Entry(.error, .schema, "A list has the wrong number of values")
        case .schemaUnexpectedElement: Entry(.warning, .schema, "An element stands where the schema has none")
        case .schemaUnexpectedText: Entry(.warning, .schema, "A text stands where only elements may")
        case .schemaElementOrder: Entry(.info, .schema, "Elements come in another order than the schema's")
        case .schemaUnknownAttribute: Entry(.info, .schema, "An attribute is not in the schema")
        case .schemaInvalidID: Entry(.info, .schema, "A name is no XML name")
        case .schemaInvalidDate: Entry(.info, .schema, "A date is not written as the schema wants it")
        case .schemaInvalidValue: Entry(.warning, .schema, "A text is not of its type")
        case .schemaEmptyLibrary: Entry(.hint, .schema, "A library holds nothing")
        case .schemaExtraUnknownProfile: Entry(.hint, .schema, "A technique's profile is not understood")
        case .schemaXSD: Entry(.error, .schema, "The document is not valid by the schema that was given")
        case .numberDecimalComma: Entry(.warning, .data, "A decimal comma was read as a point")
        case .numberNonFinite: Entry(.error, .data, "A number is NaN or infinite")
        case .idDuplicate: Entry(.error, .link, "Two elements have the same id")
        case .sidDuplicate: Entry(.warning, .link, "Two elements side by side have the same sid")
        case .uriInvalid: Entry(.warning, .link, "An address has characters that none may have")
        case .uriUnsupportedScheme: Entry(.warning, .link, "An address has a scheme that is not followed")
        case .refUnresolved: Entry(.error, .link, "A reference has no target")
        case .refWrongType: Entry(.error, .link, "A reference leads to another kind of element")
        case .refByName: Entry(.warning, .link, "A reference leads to nothing but by another name")
        case .refMissingHash: Entry(.warning, .link, "A local reference lacks its number sign")
        case .refExternalUnresolved: Entry(.error, .link, "A reference into another document was not followed")
        case .refExternalBlocked: Entry(.warning, .link, "Another document was not opened")
        case .sidrefUnresolved: Entry(.error, .link, "A path of sids leads to nothing")
        case .sidrefAmbiguous: Entry(.warning, .link, "A path of sids could lead to several elements")
        case .refCycle: Entry(.error, .link, "Instances contain themselves")
        case .refUnused: Entry(.info, .link, "Nothing refers to an element of a library")
        case .arrayCountMismatch: Entry(.warning, .data, "An array has another number of values than its count says")
        case .arrayTruncated: Entry(.error, .data, "An array ends before the values that are needed")
        case .accessorNoSource: Entry(.error, .data, "A source of data is missing")
        case .accessorStrideTooSmall: Entry(.error, .data, "An accessor's stride is smaller than its parameters")
        case .accessorOutOfRange: Entry(.error, .data, "An accessor reaches beyond its array")
        case .accessorOverflow: Entry(.error, .data, "An accessor's size overflows")
        case .accessorParamType: Entry(.warning, .data, "A param has another type than its array")
        case .accessorParamUnnamed: Entry(.info, .data, "A param without a name leaves a value out")
        case .sourceEmpty: Entry(.warning, .data, "A source has no elements")
        case .inputNoPosition: Entry(.error, .data, "A mesh has no positions")
        case .inputNoVertex: Entry(.error, .data, "A primitive has no VERTEX input")
        case .inputDuplicateSemantic: Entry(.warning, .data, "Two inputs are for the same")
        case .inputSetMissing: Entry(.info, .data, "One of several texture coordinates has no set")
        case .inputOffsetGap: Entry(.info, .data, "Indices are written that no input reads")
        case .inputOffsetTooLarge: Entry(.error, .data, "An input's offset is absurd")
        case .inputUnknownSemantic: Entry(.info, .data, "An input is for something that COLLADA has no name for")
        case .primitiveCountMismatch:
            Entry(.warning, .data, "A primitive element has another number of primitives than its count says")
        case .primitiveIndexCount: Entry(.error, .data, "The indices do not divide into corners and primitives")
        case .primitiveVcountMismatch: Entry(.error, .data, "A polylist's vcount does not fit its count or its indices")
        case .primitiveIndexOutOfBounds: Entry(.error, .data, "An index is larger than its source")
        case .primitiveIndexNegative: Entry(.warning, .data, "An index is negative")
        case .primitiveTooFewVertices: Entry(.warning, .data, "A primitive has too few corners")
        case .primitiveEmpty: Entry(.info, .data, "A primitive element has no primitives")
        case .triangleDegenerate: Entry(.info, .data, "Faces have no area")
        case .polygonConcave: Entry(.hint, .data, "Polygons are concave")
        case .polygonNonPlanar: Entry(.hint, .data, "Polygons are not flat")
        case .polygonSelfIntersecting: Entry(.warning, .data, "Polygons have sides that cross")
        case .polygonHoles: Entry(.info, .data, "Polygons have holes")
        case .polygonHoleInvalid: Entry(.warning, .data, "A hole is not within its polygon, or leaves nothing of it")
        case .normalNonUnit: Entry(.warning, .data, "Normals are not of length 1")
        case .normalZero: Entry(.warning, .data, "Normals have no direction")
        case .tangentWithoutNormal: Entry(.info, .data, "There are tangents and no normals")
        case .meshBoundsDegenerate: Entry(.warning, .data, "A mesh of faces is a line or a point")
        case .meshVerticesUnused: Entry(.hint, .data, "Positions are used by no primitive")
        case .meshColorsBlack: Entry(.warning, .data, "All vertex colours of a mesh are black")
        case .meshColorsRange: Entry(.warning, .data, "Vertex colours are not between 0 and 1")
        case .perfUnindexed: Entry(.hint, .data, "No corner shares its position with another")
        case .perfDuplicateGeometry: Entry(.hint, .data, "Two geometries hold the same numbers")
        case .geometryUnsupportedKind: Entry(.warning, .data, "A kind of geometry is kept but not drawn")
        case .animationSamplerInputMissing: Entry(.error, .data, "A sampler lacks its times or values")
        case .animationInterpolationMissing: Entry(.warning, .data, "A sampler does not say how it interpolates")
        case .animationCountMismatch:
            Entry(.error, .data, "A sampler's times, values and interpolations do not fit together")
        case .animationTimeNotIncreasing: Entry(.error, .data, "A sampler's times do not increase")
        case .animationTimeNegative: Entry(.warning, .data, "A sampler's times are negative")
        case .animationTangentMissing: Entry(.warning, .data, "A curve lacks the tangents it needs")
        case .animationTangentLayout:
            Entry(.warning, .data, "A curve's tangents are laid out in an older or unknown way")
        case .animationUnknownInterpolation: Entry(.warning, .data, "An interpolation has an unknown name")
        case .animationEmpty: Entry(.info, .data, "A sampler has no keys")
        case .animationTargetUnresolved: Entry(.warning, .link, "A channel's target does not exist")
        case .animationTargetMemberInvalid: Entry(.error, .link, "A channel's target has no such part")
        case .animationTargetShared:
            Entry(.info, .link, "A channel's target is in one of several instances, which all move")
        case .animationDuplicateTarget: Entry(.warning, .link, "Two channels that play together move the same target")
        case .animationClipRange: Entry(.warning, .data, "A clip ends before it begins, or plays no key")
        case .animationClipRefUnresolved: Entry(.error, .link, "A clip plays an animation that does not exist")
        case .skinSourceUnresolved: Entry(.error, .data, "The mesh of a skin does not exist")
        case .animationFullTurn: Entry(.hint, .data, "A rotation goes a whole turn between two keys")
        case .perfConstantChannel: Entry(.hint, .data, "A curve holds one value at every key")
        case .perfOversampled: Entry(.hint, .data, "Most keys of a curve lie on straight lines between others")
        case .skinVertexCountMismatch: Entry(.error, .data, "A skin has another number of vertices than its mesh")
        case .skinVcountMismatch: Entry(.error, .data, "A skin has another number of vertices than its count says")
        case .skinVCount: Entry(.error, .data, "A skin's indices do not fit its numbers of influences")
        case .skinJointIndexOutOfBounds: Entry(.error, .data, "An influence names a joint that is not there")
        case .skinWeightIndexOutOfBounds: Entry(.error, .data, "An influence names a weight that is not there")
        case .skinWeightsNotNormalized: Entry(.warning, .data, "A vertex's weights do not sum up to 1")
        case .skinWeightsNegative: Entry(.warning, .data, "A weight is negative")
        case .skinTooManyInfluences: Entry(.hint, .data, "A vertex has more influences than most engines hold")
        case .skinJointUnresolved: Entry(.error, .data, "A joint of a skin is no node below its skeleton")
        case .skinNoSkeletonRoot:
            Entry(.info, .data, "A skin's instance names no skeleton; the whole scene is searched")
        case .skinInverseBindCount: Entry(.error, .data, "A skin has not one inverse bind matrix a joint")
        case .skinInverseBindNonInvertible: Entry(.warning, .data, "An inverse bind matrix has no inverse")
        case .skinBindShapeMissing: Entry(.info, .data, "A skin has no bind shape matrix; the identity is used")
        case .skinBindShapeNonInvertible: Entry(.warning, .data, "The bind shape matrix has no inverse")
        case .skinMatrixNonAffine: Entry(.warning, .data, "A skin's matrix does not end in 0 0 0 1")
        case .skinVertexUnweighted: Entry(.warning, .data, "Vertices of a skin have no influence")
        case .skinJointRepeated: Entry(.info, .data, "Vertices of a skin name a joint twice")
        case .skinJointNameSpaces: Entry(.warning, .data, "The names of joints have spaces, which part them")
        case .skinNotInstanced: Entry(.info, .data, "A skin has no instance")
        case .skinNodeTransform: Entry(.info, .data, "The node of a skin's instance moves what the joints have posed")
        case .skinSkeletonUnplaced: Entry(.info, .data, "A skin's skeleton stands in no visual scene")
        case .morphTargetUnresolved: Entry(.error, .data, "A morph's target is not there")
        case .morphVertexCountMismatch: Entry(.error, .data, "A morph's target has another number of vertices")
        case .morphWeightCountMismatch: Entry(.error, .data, "A morph has not one weight a target")
        case .morphWeightRange: Entry(.hint, .data, "A normalized morph's weights sum up to more than 1")
        case .controllerChainUnsupported: Entry(.warning, .data, "A skin stands on another skin")
        case .sceneMissing: Entry(.warning, .scene, "No scene is named; the first visual scene is used")
        case .sceneMultipleVisualScenes: Entry(.info, .scene, "A visual scene is not shown")
        case .sceneInstanceUnresolved: Entry(.error, .scene, "The scene that is named does not exist")
        case .sceneNodeCountExceeded: Entry(.error, .scene, "Instancing makes more nodes than the budget")
        case .workLimitExceeded:
            Entry(.warning, .scene, "A document asks for more searching or copying than is done for one")
        case .sceneBoundsApproximate: Entry(.info, .scene, "The bounds may be larger than the scene")
        case .nodeTransformNonAffine: Entry(.warning, .scene, "A matrix's last row is not 0 0 0 1")
        case .nodeLookatDegenerate: Entry(.warning, .scene, "A lookat has no direction")
        case .nodeRotateAxisZero: Entry(.warning, .scene, "A rotation's axis has no length")
        case .nodeTransformSingular: Entry(.warning, .scene, "A node flattens what is below it")
        case .nodeTransformShear: Entry(.hint, .scene, "A node shears what is below it")
        case .nodeTransformMirrored: Entry(.hint, .scene, "A node mirrors what is below it")
        case .nodeMultipleInstances: Entry(.hint, .scene, "A node has several instances")
        case .nodeEmpty: Entry(.hint, .scene, "A node has nothing in it")
        case .assetMissing: Entry(.warning, .scene, "The document has no asset")
        case .assetUnitMissing: Entry(.info, .scene, "No unit is given; the metre is assumed")
        case .assetUnitInvalid: Entry(.error, .scene, "The unit is not a positive number")
        case .assetUnitNameMismatch: Entry(.warning, .scene, "The unit's name and its length do not fit together")
        case .assetUpAxisMissing: Entry(.info, .scene, "No up axis is given; Y_UP is assumed")
        case .assetNestedUnit:
            Entry(.warning, .scene, "A part of the scene is written in another unit or with another up axis")
        case .assetSizeImplausible: Entry(.hint, .scene, "The scene is very large or very small")
        case .cameraInvalid: Entry(.warning, .scene, "A camera's optics cannot be used")
        case .lightInvalid: Entry(.warning, .scene, "A light has no usable technique")
        case .materialBindMissing: Entry(.warning, .resource, "An instance binds no materials")
        case .materialSymbolUnbound: Entry(.warning, .resource, "A primitive's material symbol is bound to nothing")
        case .materialSymbolUnused:
            Entry(.info, .resource, "A material is bound to a symbol that the mesh does not use")
        case .materialBindVertexInput:
            Entry(.warning, .resource, "A texture is bound to an input that the mesh does not have")
        case .materialTargetUnresolved: Entry(.error, .resource, "A material that is bound does not exist")
        case .texcoordMissing: Entry(.warning, .data, "A mesh has no texture coordinates for its material's texture")
        case .effectNoCommonProfile: Entry(.warning, .resource, "An effect has no common profile")
        case .effectTechniqueUnknown: Entry(.warning, .resource, "A technique has none of the four shading models")
        case .effectSeveralValues: Entry(.info, .resource, "A property of an effect has several values")
        case .effectParamUnresolved: Entry(.warning, .resource, "A parameter that is referred to does not exist")
        case .textureDirectImage: Entry(.info, .resource, "A texture names an image instead of a sampler")
        case .textureTexcoordEmpty: Entry(.warning, .resource, "A texture's coordinates are bound to no input")
        case .transparencySuspect: Entry(.hint, .resource, "A material is invisible by the letter")
        case .materialEmissionAmbientFull: Entry(.hint, .resource, "A material shines white all over")
        case .colorOutOfRange: Entry(.warning, .resource, "A colour is not between 0 and 1")
        case .textureSamplerUnresolved: Entry(.error, .resource, "A texture names no sampler of its effect")
        case .textureSurfaceUnresolved: Entry(.error, .resource, "A sampler names no surface of its effect")
        case .imageEmptyURI: Entry(.warning, .resource, "An image names no file")
        case .imageURIIsDirectory: Entry(.warning, .resource, "An image names a folder")
        case .imageURIAbsolute: Entry(.warning, .resource, "An image's path is absolute")
        case .imageNotFound: Entry(.error, .resource, "An image's file was not found")
        case .imageFoundByFallback: Entry(.warning, .resource, "An image's file was found elsewhere than written")
        case .imageAmbiguous: Entry(.warning, .resource, "Several files could be meant")
        case .imageExtensionMismatch: Entry(.warning, .resource, "An image is of another format than its name says")
        case .imageUnsupportedFormat:
            Entry(.warning, .resource, "An image is of a format that many programs do not read")
        case .imageDataInvalid: Entry(.error, .resource, "An image's header cannot be read")
        case .imageTruncated: Entry(.error, .resource, "An image's file ends before its pixels do")
        case .imageTooLarge: Entry(.hint, .resource, "An image is larger than the budget")
        case .imageNonPowerOfTwo: Entry(.hint, .resource, "An image's sides are no powers of two")
        case .imageUnused: Entry(.info, .resource, "No effect samples an image")
        case .resourcePackageUnknown: Entry(.error, .resource, "A package of ROS is not known")
        case .resourceModelUnknown: Entry(.error, .resource, "A model of Gazebo is not known")
        case .resourceEscapesRoot: Entry(.error, .resource, "A path leads out of the bundle")
        case .resourceOutside: Entry(.info, .resource, "A file outside the bundle is used")
        case .resourceDocumentLink:
            Entry(.hint, .resource, "The document is a symbolic link, and files are looked for where it leads")
        case .resourceFetchLimit: Entry(.warning, .resource, "More files are on the web than are fetched")
        case .robotDescriptionUnreadable: Entry(.error, .resource, "A robot's description cannot be read")
        case .robotMeshNotFound: Entry(.error, .resource, "A mesh that a robot's description names was not found")
        case .robotNameNotLiteral: Entry(.info, .resource, "A mesh's name is known only when xacro has been run")
        case .robotScaleInvalid: Entry(.error, .resource, "The scale of a robot's mesh is not three numbers")
        case .robotScaleAmbiguous: Entry(.error, .convert, "A robot's mesh is given several scales")
        case .convertNothingDrawable: Entry(.error, .convert, "The scene has nothing that could be drawn")
        case .convertTooLarge: Entry(.error, .convert, "The result would be larger than the format allows")
        case .convertWorkExceeded: Entry(.error, .convert, "The conversion asks for more than the budget")
        case .outputTooLarge: Entry(.error, .scene, "The result would be larger than the budget")
        case .convertLoss: Entry(.error, .convert, "The format cannot hold all of the scene")
        case .convertLibraryMissing: Entry(.error, .convert, "A library that the conversion needs is not installed")
        case .physicsRefUnresolved: Entry(.warning, .link, "A reference of the physics has no target")
        case .physicsShapeInvalid: Entry(.warning, .data, "A rigid body's shape has no volume")
        case .physicsMassInvalid: Entry(.warning, .data, "A dynamic body has no mass")
        case .physicsConvexSource: Entry(.warning, .link, "The geometry that a convex mesh is the hull of is missing")
        case .kinematicsJointUnresolved: Entry(.warning, .link, "A joint of a robot does not exist")
        case .kinematicsLimitsInverted: Entry(.warning, .data, "A joint's least value is above its greatest")
        case .kinematicsLinkCycle: Entry(.warning, .link, "The links of a robot close a circle")
        case .kinematicsBindUnresolved:
            Entry(.warning, .link, "What a robot's axis or model is bound to does not exist")
        case .kinematicsExtension: Entry(.hint, .data, "An extension of OpenRAVE is kept")
        case .formulaUnsupported: Entry(.info, .data, "A formula is kept but not evaluated")
        case .perfManyPrimitives: Entry(.hint, .scene, "A mesh is cut into very many parts")
        case .perfDrawCalls: Entry(.hint, .scene, "The scene takes very many draw calls")
        case .perfIndex32Bit: Entry(.hint, .scene, "A mesh has more vertices than 16 bits count")
        case .perfTextureMemory: Entry(.hint, .resource, "The textures take very much memory")
        case .quirkEntryBackslash: Entry(.info, .archive, "An archive's entries have back-slashes in their names")
        case .quirkManifestBackslash: Entry(.info, .archive, "A manifest has a path with back-slashes")
        case .quirkUpAxisCase: Entry(.info, .schema, "The up axis is in small letters")
        case .quirkColorWithoutAlpha: Entry(.info, .schema, "A colour has three numbers, no alpha")
        case .quirkSeveralIndexLists: Entry(.info, .schema, "A primitive has several lists of indices")
        case .quirkBooleanCase: Entry(.info, .schema, "A truth value is in capital letters")
        case .quirkShapeRadius: Entry(.info, .schema, "A shape has one radius where there should be several")
        case .quirkTargetHash: Entry(.info, .link, "A channel's target begins with a number sign")
        case .quirkTargetByElement: Entry(.info, .link, "A channel names an element that has no sid")
        case .quirkTargetMember: Entry(.info, .link, "A channel names a part of what has no parts")
        case .quirkIDHash: Entry(.info, .link, "An id is written with a number sign")
        case .quirkSketchUpLinesCount: Entry(.info, .data, "SketchUp counts lines otherwise")
        case .quirkMatrixStride: Entry(.info, .data, "An accessor of matrices has the stride or the type of numbers")
        case .quirkPositionInPrimitive: Entry(.info, .data, "A primitive has its positions without <vertices>")
        case .quirkTextureDirectSurface: Entry(.info, .resource, "A texture names a surface instead of a sampler")
        case .quirkSamplerDirectImage: Entry(.info, .resource, "A sampler names an image instead of a surface")
        }
    }
}
