// The names that the reader knows, from the COLLADA 1.3, 1.4.1 and 1.5 schemas.

enum ElementName: String, CaseIterable, Sendable {
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
}

enum AttributeName: String, CaseIterable, Sendable {
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
}
