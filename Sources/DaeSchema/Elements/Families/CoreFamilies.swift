// Elements of COLLADA, assets, sources of numbers, extras, and what all families share.

extension ElementFamily {
    static let core = ElementFamily(
        name: "core",
        grammar: """
            type version'4 = string enum 1.4.0 1.4.1
            type version'5 = string enum 1.5.0
            type uri_fragment = string like uriFragment
            type digits'5 = unsignedByte 1..17
            type magnitude'5 = short -324..308
            type email'5 = string like email
            type altitude_mode'5 = string enum absolute relativeToGround
            type sidref'5 = string like sidref
            type name'4 = NCName
            type name'5 = token
            COLLADA(version!:version xml:base:anyURI) = asset (
                    library_animations | library_animation_clips | library_cameras | library_controllers
                    | library_geometries | library_effects | library_force_fields | library_images | library_lights
                    | library_materials | library_nodes | library_physics_materials | library_physics_models
                    | library_physics_scenes | library_visual_scenes | library_joints'5 | library_kinematics_models'5
                    | library_articulated_systems'5 | library_kinematics_scenes'5 | library_formulas'5
                )* scene{
                    instance_physics_scene:instance_with_extra* instance_visual_scene:instance_with_extra?
                    instance_kinematics_scene*'5 extra*
                }? extra*
            IDREF_array(id:ID name:name count!:unsignedLong) : IDREFS
            Name_array(id:ID name:name count!:unsignedLong) : Name[]
            bool_array(id:ID name:name count!:unsignedLong) : boolean[]
            float_array(id:ID name:name count!:unsignedLong digits:short=6'4 digits:digits=6'5 magnitude:short=38'4
                magnitude:magnitude=38'5) : double[]
            int_array(id:ID name:name count!:unsignedLong minInclusive:integer=-2147483648
                maxInclusive:integer=2147483647) : long[]
            accessor(count!:unsignedLong offset:unsignedLong=0 source:anyURI'4 source!:anyURI'5 stride:unsignedLong=1)
                = param*
            param(name:name sid:NCName semantic:NMTOKEN type!:NMTOKEN) : string
            source(id!:ID name:name) = asset?
                (IDREF_array | Name_array | bool_array | float_array | int_array | token_array'5 | SIDREF_array'5)?
                technique_common{accessor}? technique*
            asset = contributor{
                    author:string? author_email:email?'5 author_website:anyURI?'5 authoring_tool:string?
                    comments:string? copyright:string? source_data:anyURI?
                }* coverage{
                    geographic_location{
                        longitude:float latitude:float altitude(mode:altitude_mode=relativeToGround):float
                    }?
                }?'5 created:dateTime keywords:string?'4 keywords:token?'5 modified:dateTime revision:string?
                subject:string? title:string? unit(meter:double=1.0 name:NMTOKEN=meter)? up_axis:up_axis_name=Y_UP?
                extra*'5
            extra(id:ID name:name type:NMTOKEN) = asset? technique+
            technique(profile!:NMTOKEN) = any*
            input_global(semantic!:NMTOKEN source!:anyURI)
            input_local(semantic!:NMTOKEN source!:uri_fragment)
            input_local_offset(offset!:unsignedLong semantic!:NMTOKEN source!:uri_fragment set:unsignedLong)
            instance_with_extra(url!:anyURI sid:NCName name:name) = extra*
            targetable_float(sid:NCName) : double
            targetable_float3(sid:NCName) : double[3]
            token_array'5(id:ID name:token count!:unsignedLong) : token[]
            SIDREF_array'5(id:ID name:token count!:unsignedLong) : sidref[]
            targetable_float4'5(sid:NCName) : double[4]
            # What is checked where anything may stand, as within <technique>.
            %global'4 = COLLADA | IDREF_array | Name_array | bool_array | float_array | int_array | accessor | param
                | source | geometry | mesh | spline | p | lines | linestrips | polygons | polylist | triangles | trifans
                | tristrips | vertices | lookat | matrix | rotate | scale | skew | translate | image | light | material
                | camera | animation | animation_clip | channel | sampler | controller | skin | morph | asset | extra
                | technique | node | visual_scene | bind_material | instance_camera | instance_controller
                | instance_effect | instance_force_field | instance_geometry | instance_light | instance_material
                | instance_node | instance_physics_material | instance_physics_model | instance_rigid_body
                | instance_rigid_constraint | library_animations | library_animation_clips | library_cameras
                | library_controllers | library_geometries | library_effects | library_force_fields | library_images
                | library_lights | library_materials | library_nodes | library_physics_materials
                | library_physics_models | library_physics_scenes | library_visual_scenes | effect | profile_GLSL
                | profile_COMMON | profile_CG | profile_GLES | box | plane | sphere | ellipsoid | cylinder
                | tapered_cylinder | capsule | tapered_capsule | convex_mesh | force_field | physics_material
                | physics_scene | rigid_body | rigid_constraint | physics_model
            %global'5 = COLLADA
            """,
        units: [.asset, .scene],
        texts: [
            .nameArray, .idrefArray, .sidrefArray, .author, .authoringTool, .comments, .copyright, .sourceData,
            .created, .modified, .keywords, .revision, .subject, .title, .upAxis, .param, .authorEmail,
            .authorWebsite, .longitude, .latitude, .altitude,
        ],
        reals: [.floatArray, .intArray],
        raws: [.extra],
        skipped: [.boolArray, .boundingbox])
}

// Elements of nodes and visual scenes.

extension ElementFamily {
    static let scenes = ElementFamily(
        name: "scenes",
        grammar: """
            type node_kind = string enum JOINT NODE
            lookat(sid:NCName) : double[9]
            matrix(sid:NCName) : double[16]
            rotate(sid:NCName) : double[4]
            scale(sid:NCName) : double[3]
            skew(sid:NCName) : double[7]
            translate(sid:NCName) : double[3]
            node(id:ID name:name sid:NCName type:node_kind=NODE layer:Name[]) = asset?
                (lookat | matrix | rotate | scale | skew | translate)* instance_camera* instance_controller*
                instance_geometry* instance_light* instance_node* node* extra*
            visual_scene'4(id:ID name:NCName) = asset? node+
                evaluate_scene(name:NCName){render(camera_node!:anyURI){layer:NCName* instance_effect?}+}* extra*
            visual_scene'5(id:ID name:token) = asset? node+ evaluate_scene(id:ID sid:NCName name:token
                enable:boolean=true){
                    asset? render(sid:NCName name:token camera_node:anyURI){
                        layer:NCName* instance_material(url!:anyURI){
                            technique_override(ref!:NCName pass:NCName)? bind(semantic!:NCName target!:token)* extra*
                        }? extra*
                    }* extra*
                }* extra*
            instance_node(url!:anyURI sid:NCName name:name proxy:anyURI'5) = extra*
            library_nodes(id:ID name:name) = asset? node+ extra*
            library_visual_scenes(id:ID name:name) = asset? visual_scene+ extra*
            """,
        units: [.visualScene, .node],
        texts: [.matrix, .translate, .rotate, .scale, .skew, .lookat],
        skipped: [.evaluateScene])
}

// Elements of cameras and lights.

extension ElementFamily {
    static let optics = ElementFamily(
        name: "optics",
        grammar: """
            light(id:ID name:name) = asset? technique_common{
                    ambient{color:targetable_float3} | directional{color:targetable_float3} | point{
                        color:targetable_float3 constant_attenuation:targetable_float=1.0?
                        linear_attenuation:targetable_float=0.0? quadratic_attenuation:targetable_float=0.0?
                    } | spot{
                        color:targetable_float3 constant_attenuation:targetable_float=1.0?
                        linear_attenuation:targetable_float=0.0? quadratic_attenuation:targetable_float=0.0?
                        falloff_angle:targetable_float=180.0? falloff_exponent:targetable_float=0.0?
                    }
                } technique* extra*
            camera(id:ID name:name) = asset? optics{
                    technique_common{
                        orthographic{
                            (
                                (xmag:targetable_float (ymag:targetable_float | aspect_ratio:targetable_float)?)
                                | (ymag:targetable_float aspect_ratio:targetable_float?)
                            ) znear:targetable_float zfar:targetable_float
                        } | perspective{
                            (
                                (xfov:targetable_float (yfov:targetable_float | aspect_ratio:targetable_float)?)
                                | (yfov:targetable_float aspect_ratio:targetable_float?)
                            ) znear:targetable_float zfar:targetable_float
                        }
                    } technique* extra*
                } imager{technique+ extra*}? extra*
            instance_camera'4(url!:anyURI sid:NCName name:NCName) = extra*
            instance_camera'5(url!:anyURI sid:NCName name:token) = lost extra*
            instance_light'4(url!:anyURI sid:NCName name:NCName) = extra*
            instance_light'5(url!:anyURI sid:NCName name:token) = lost extra*
            library_cameras(id:ID name:name) = asset? camera+ extra*
            library_lights(id:ID name:name) = asset? light+ extra*
            """,
        units: [.camera, .light],
        texts: [
            .xfov, .yfov, .xmag, .ymag, .aspectRatio, .znear, .zfar, .constantAttenuation, .linearAttenuation,
            .quadraticAttenuation, .falloffAngle, .falloffExponent,
        ],
        skipped: [.imager])
}
