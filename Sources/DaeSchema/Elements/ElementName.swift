// The names that the reader knows, from the COLLADA 1.3, 1.4.1 and 1.5 schemas.

package enum ElementName: String, CaseIterable, Sendable, BitwiseCopyable {
    case collada = "COLLADA"
    case asset
    case contributor
    case author
    case authoringTool = "authoring_tool"
    case comments
    case copyright
    case sourceData = "source_data"
    case created
    case modified
    case keywords
    case revision
    case subject
    case title
    case unit
    case upAxis = "up_axis"
    case coverage
    case extra
    case technique
    case techniqueCommon = "technique_common"
    case libraryGeometries = "library_geometries"
    case geometry
    case mesh
    case convexMesh = "convex_mesh"
    case spline
    case brep
    case source
    case accessor
    case param
    case floatArray = "float_array"
    case intArray = "int_array"
    case boolArray = "bool_array"
    case nameArray = "Name_array"
    case idrefArray = "IDREF_array"
    case sidrefArray = "SIDREF_array"
    case array
    case vertices
    case input
    case triangles
    case polylist
    case polygons
    case tristrips
    case trifans
    case lines
    case linestrips
    case p
    case ph
    case h
    case vcount
    case controlVertices = "control_vertices"
    case libraryControllers = "library_controllers"
    case controller
    case skin
    case morph
    case bindShapeMatrix = "bind_shape_matrix"
    case joints
    case vertexWeights = "vertex_weights"
    case v
    case targets
    case libraryEffects = "library_effects"
    case effect
    case profileCommon = "profile_COMMON"
    case profileGlsl = "profile_GLSL"
    case profileCg = "profile_CG"
    case profileGles = "profile_GLES"
    case profileGles2 = "profile_GLES2"
    case profileBridge = "profile_BRIDGE"
    case constant
    case lambert
    case phong
    case blinn
    case emission
    case ambient
    case diffuse
    case specular
    case shininess
    case reflective
    case reflectivity
    case transparent
    case transparency
    case indexOfRefraction = "index_of_refraction"
    case color
    case texture
    case float
    case float2
    case float3
    case float4
    case newparam
    case setparam
    case surface
    case sampler2D
    case samplerCube = "samplerCUBE"
    case sampler1D
    case sampler3D
    case samplerRect = "samplerRECT"
    case wrapS = "wrap_s"
    case wrapT = "wrap_t"
    case minfilter
    case magfilter
    case mipfilter
    case instanceImage = "instance_image"
    case semantic
    case libraryMaterials = "library_materials"
    case material
    case instanceEffect = "instance_effect"
    case libraryImages = "library_images"
    case image
    case initFrom = "init_from"
    case all
    case primary
    case face
    case ref
    case hex
    case data
    case create2d = "create_2d"
    case create3d = "create_3d"
    case createCube = "create_cube"
    case libraryCameras = "library_cameras"
    case camera
    case optics
    case perspective
    case orthographic
    case xfov
    case yfov
    case xmag
    case ymag
    case aspectRatio = "aspect_ratio"
    case znear
    case zfar
    case imager
    case libraryLights = "library_lights"
    case light
    case directional
    case point
    case spot
    case constantAttenuation = "constant_attenuation"
    case linearAttenuation = "linear_attenuation"
    case quadraticAttenuation = "quadratic_attenuation"
    case falloffAngle = "falloff_angle"
    case falloffExponent = "falloff_exponent"
    case libraryAnimations = "library_animations"
    case animation
    case sampler
    case channel
    case libraryAnimationClips = "library_animation_clips"
    case animationClip = "animation_clip"
    case instanceAnimation = "instance_animation"
    case libraryNodes = "library_nodes"
    case libraryVisualScenes = "library_visual_scenes"
    case visualScene = "visual_scene"
    case node
    case matrix
    case translate
    case rotate
    case scale
    case skew
    case lookat
    case instanceGeometry = "instance_geometry"
    case instanceController = "instance_controller"
    case instanceNode = "instance_node"
    case instanceCamera = "instance_camera"
    case instanceLight = "instance_light"
    case bindMaterial = "bind_material"
    case instanceMaterial = "instance_material"
    case bind
    case bindVertexInput = "bind_vertex_input"
    case skeleton
    case evaluateScene = "evaluate_scene"
    case scene
    case instanceVisualScene = "instance_visual_scene"
    case instancePhysicsScene = "instance_physics_scene"
    case instanceKinematicsScene = "instance_kinematics_scene"
    case libraryPhysicsScenes = "library_physics_scenes"
    case physicsScene = "physics_scene"
    case libraryPhysicsModels = "library_physics_models"
    case libraryPhysicsMaterials = "library_physics_materials"
    case libraryForceFields = "library_force_fields"
    case libraryKinematicsModels = "library_kinematics_models"
    case libraryKinematicsScenes = "library_kinematics_scenes"
    case kinematicsScene = "kinematics_scene"
    case libraryArticulatedSystems = "library_articulated_systems"
    case libraryJoints = "library_joints"
    case libraryFormulas = "library_formulas"
    case library
    case shader
    case program
    case pass
    case instance
    case boundingbox
    case acceleration
    case active
    case angular
    case angularVelocity = "angular_velocity"
    case attachment
    case box
    case capsule
    case cylinder
    case damping
    case density
    case dynamic
    case dynamicFriction = "dynamic_friction"
    case ellipsoid
    case enabled
    case equation
    case forceField = "force_field"
    case gravity
    case halfExtents = "half_extents"
    case height
    case hollow
    case inertia
    case instanceForceField = "instance_force_field"
    case instancePhysicsMaterial = "instance_physics_material"
    case instancePhysicsModel = "instance_physics_model"
    case instanceRigidBody = "instance_rigid_body"
    case instanceRigidConstraint = "instance_rigid_constraint"
    case interpenetrate
    case limits
    case linear
    case mass
    case massFrame = "mass_frame"
    case max
    case min
    case physicsMaterial = "physics_material"
    case physicsModel = "physics_model"
    case plane
    case radius
    case radius1
    case radius2
    case refAttachment = "ref_attachment"
    case restitution
    case rigidBody = "rigid_body"
    case rigidConstraint = "rigid_constraint"
    case shape
    case size
    case sphere
    case spring
    case staticFriction = "static_friction"
    case stiffness
    case swingConeAndTwist = "swing_cone_and_twist"
    case taperedCapsule = "tapered_capsule"
    case taperedCylinder = "tapered_cylinder"
    case targetValue = "target_value"
    case timeStep = "time_step"
    case velocity
    case sidref = "SIDREF"
    case articulatedSystem = "articulated_system"
    case attachmentEnd = "attachment_end"
    case attachmentFull = "attachment_full"
    case attachmentStart = "attachment_start"
    case axis
    case axisInfo = "axis_info"
    case bindJointAxis = "bind_joint_axis"
    case bindKinematicsModel = "bind_kinematics_model"
    case bool
    case connectParam = "connect_param"
    case deceleration
    case effectorInfo = "effector_info"
    case formula
    case frameObject = "frame_object"
    case frameOrigin = "frame_origin"
    case frameTcp = "frame_tcp"
    case frameTip = "frame_tip"
    case index
    case instanceArticulatedSystem = "instance_articulated_system"
    case instanceFormula = "instance_formula"
    case instanceJoint = "instance_joint"
    case instanceKinematicsModel = "instance_kinematics_model"
    case int
    case jerk
    case joint
    case kinematics
    case kinematicsModel = "kinematics_model"
    case link
    case locked
    case motion
    case prismatic
    case revolute
    case speed
    case target
    case value
    case angle
    case circle
    case cone
    case curve
    case curves
    case direction
    case edges
    case ellipse
    case faces
    case focal
    case hyperbola
    case line
    case nurbs
    case nurbsSurface = "nurbs_surface"
    case orient
    case origin
    case parabola
    case pcurves
    case shells
    case solids
    case surfaceCurves = "surface_curves"
    case surfaces
    case sweptSurface = "swept_surface"
    case torus
    case wires
    case altitude
    case geographicLocation = "geographic_location"
    case latitude
    case longitude
    case authorEmail = "author_email"
    case authorWebsite = "author_website"
    case tokenArray = "token_array"
    case alpha
    case borderColor = "border_color"
    case exact
    case format
    case formatHint = "format_hint"
    case hint
    case initAsNull = "init_as_null"
    case initAsTarget = "init_as_target"
    case initCube = "init_cube"
    case initPlanar = "init_planar"
    case initVolume = "init_volume"
    case layer
    case maxAnisotropy = "max_anisotropy"
    case mipBias = "mip_bias"
    case mipLevels = "mip_levels"
    case mipMaxLevel = "mip_max_level"
    case mipMinLevel = "mip_min_level"
    case mipmapBias = "mipmap_bias"
    case mipmapGenerate = "mipmap_generate"
    case mipmapMaxlevel = "mipmap_maxlevel"
    case mips
    case renderable
    case samplerDEPTH
    case samplerImage = "sampler_image"
    case samplerState = "sampler_state"
    case samplerStates = "sampler_states"
    case sizeExact = "size_exact"
    case sizeRatio = "size_ratio"
    case techniqueOverride = "technique_override"
    case unnormalized
    case usertype
    case viewportRatio = "viewport_ratio"
    case wrapP = "wrap_p"
    case bool2
    case bool3
    case bool4
    case int2
    case int3
    case int4
    case float2x2
    case float3x3
    case float4x4
    case string
    case `enum`
    case annotate
    case code
    case include
    case binary
    case inline
    case `import`
    case render
}

package enum AttributeName: String, CaseIterable, Sendable, BitwiseCopyable {
    case id
    case name
    case sid
    case version
    case type
    case url
    case target
    case source
    case count
    case offset
    case stride
    case set
    case semantic
    case material
    case symbol
    case meter
    case texture
    case texcoord
    case opaque
    case profile
    case closed
    case idx
    case base
    case convexHullOf = "convex_hull_of"
    case ref
    case method
    case start
    case end
    case preBehavior = "pre_behavior"
    case postBehavior = "post_behavior"
    case arrayIndex = "array_index"
    case autoGenerate = "auto_generate"
    case axis
    case body
    case constraint
    case degree
    case degreeU = "degree_u"
    case degreeV = "degree_v"
    case closedU = "closed_u"
    case closedV = "closed_v"
    case depth
    case digits
    case enable
    case face
    case format
    case height
    case index
    case inputSemantic = "input_semantic"
    case inputSet = "input_set"
    case joint
    case layer
    case length
    case levels
    case link
    case magnitude
    case mipIndex = "mip_index"
    case mipsGenerate = "mips_generate"
    case mode
    case node
    case param
    case parent
    case pass
    case range
    case rigidBody = "rigid_body"
    case scale
    case share
    case slice
    case space
    case value
    case width
    case cameraNode = "camera_node"
    case channels
    case proxy
}

// The compiler's own comparison is not inlined into other modules, which compare names with each element.

extension ElementName {
    @inlinable
    package static func == (left: ElementName, right: ElementName) -> Bool {
        unsafeBitCast(left, to: UInt16.self) == unsafeBitCast(right, to: UInt16.self)
    }
}

extension AttributeName {
    @inlinable
    package static func == (left: AttributeName, right: AttributeName) -> Bool {
        unsafeBitCast(left, to: UInt8.self) == unsafeBitCast(right, to: UInt8.self)
    }
}
