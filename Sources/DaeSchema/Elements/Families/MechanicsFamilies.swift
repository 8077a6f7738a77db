// Elements of physics.

extension ElementFamily {
    static let physics = ElementFamily(
        name: "physics",
        grammar: """
            instance_force_field'4(url!:anyURI sid:NCName name:NCName) = extra*
            instance_force_field'5(url!:anyURI sid:NCName name:token) = lost extra*
            instance_physics_material'4(url!:anyURI sid:NCName name:NCName) = extra*
            instance_physics_material'5(url!:anyURI sid:NCName name:token) = lost extra*
            instance_physics_model(url!:anyURI sid:NCName name:name parent:anyURI) = instance_force_field*
                instance_rigid_body* instance_rigid_constraint* extra*
            instance_rigid_body(body!:NCName sid:NCName name:name target!:anyURI) = technique_common{
                    angular_velocity:double[3]="0.0 0.0 0.0"? velocity:double[3]="0.0 0.0 0.0"?
                    dynamic(sid:NCName):boolean?'4 dynamic(sid:NCName):boolean=true?'5 mass:targetable_float?
                    mass_frame{(translate | rotate)+}? inertia:targetable_float3?
                    (instance_physics_material | physics_material)? shape{
                        hollow(sid:NCName):boolean? mass:targetable_float? density:targetable_float?
                        (instance_physics_material | physics_material)? (
                            instance_geometry | plane | box | sphere | cylinder | tapered_cylinder'4 | capsule
                            | tapered_capsule'4
                        ) (translate | rotate)* extra*
                    }*
                } technique* extra*
            instance_rigid_constraint(constraint!:NCName sid:NCName name:name) = extra*
            library_force_fields(id:ID name:name) = asset? force_field+ extra*
            library_physics_materials(id:ID name:name) = asset? physics_material+ extra*
            library_physics_models(id:ID name:name) = asset? physics_model+ extra*
            library_physics_scenes(id:ID name:name) = asset? physics_scene+ extra*
            box = half_extents:double[3] extra*
            plane = equation:double[4] extra*
            sphere = radius:double extra*
            ellipsoid = size:double[3]
            cylinder = height:double radius:double[2] extra*
            tapered_cylinder'4 = height:double radius1:double[2] radius2:double[2] extra*
            capsule = height:double radius:double[2]'4 radius:double[3]'5 extra*
            tapered_capsule'4 = height:double radius1:double[2] radius2:double[2] extra*
            force_field(id:ID name:name) = asset? technique+ extra*
            physics_material(id:ID name:name) = asset? technique_common{
                    dynamic_friction:targetable_float? restitution:targetable_float? static_friction:targetable_float?
                } technique* extra*
            physics_scene(id:ID name:name) = asset? instance_force_field* instance_physics_model*
                technique_common{gravity:targetable_float3? time_step:targetable_float?} technique* extra*
            rigid_body(sid!:NCName name:name id:ID'5) = technique_common{
                    dynamic(sid:NCName):boolean? mass:targetable_float? mass_frame{(translate | rotate)+}?
                    inertia:targetable_float3? (instance_physics_material | physics_material)? shape{
                        hollow(sid:NCName):boolean? mass:targetable_float? density:targetable_float?
                        (instance_physics_material | physics_material)? (
                            instance_geometry | plane | box | sphere | cylinder | tapered_cylinder'4 | capsule
                            | tapered_capsule'4
                        ) (translate | rotate)* extra*
                    }+
                } technique* extra*
            rigid_constraint(sid!:NCName name:name) =
                ref_attachment(rigid_body:anyURI){(translate | rotate | extra*'4)* extra*'5}
                attachment(rigid_body:anyURI){(translate | rotate | extra*'4)* extra*'5} technique_common{
                    enabled(sid:NCName):boolean=true? interpenetrate(sid:NCName):boolean=false? limits{
                        swing_cone_and_twist{min:targetable_float3="0.0 0.0 0.0"? max:targetable_float3="0.0 0.0 0.0"?}?
                        linear{min:targetable_float3="0.0 0.0 0.0"? max:targetable_float3="0.0 0.0 0.0"?}?
                    }? spring{
                        angular{
                            stiffness:targetable_float=1.0? damping:targetable_float=0.0?
                            target_value:targetable_float=0.0?
                        }? linear{
                            stiffness:targetable_float=1.0? damping:targetable_float=0.0?
                            target_value:targetable_float=0.0?
                        }?
                    }?
                } technique* extra*
            physics_model(id:ID name:name) = asset? rigid_body* rigid_constraint* instance_physics_model* extra*
            """,
        units: [.physicsMaterial, .forceField, .physicsModel, .physicsScene],
        texts: [
            .angularVelocity, .damping, .density, .dynamic, .dynamicFriction, .enabled, .equation, .gravity,
            .halfExtents, .height, .hollow, .inertia, .interpenetrate, .mass, .max, .min, .radius, .radius1, .radius2,
            .restitution, .size, .staticFriction, .stiffness, .targetValue, .timeStep, .velocity,
        ])
}

// Elements of kinematics and formulas (1.5).

extension ElementFamily {
    static let kinematics = ElementFamily(
        name: "kinematics",
        grammar: """
            type up_axis_name = string enum X_UP Y_UP Z_UP
            cg_connect_param'4(ref!:token)
            limits_sub'5(sid:NCName) : double
            instance_joint'5(url!:anyURI sid:NCName name:token) = lost extra*
            link'5(sid:NCName name:token) = (rotate | translate)* (
                    attachment_full(joint!:token){(rotate | translate)* link}
                    | attachment_start(joint!:token){(rotate | translate)+}
                    | attachment_end(joint!:token){(rotate | translate)*}
                )*
            kinematics_newparam'5(sid:NCName) = float:double | int:long | SIDREF:sidref | bool:boolean
            kinematics_frame'5(link:token) = (translate | rotate)*
            common_param'5 : token
            common_int_or_param'5 = int:long | param:common_param
            common_bool_or_param'5 = bool:boolean | param:common_param
            kinematics_float_or_param'5 = float:double | param:common_param
            kinematics_limits'5 = min:kinematics_float_or_param max:kinematics_float_or_param
            common_sidref_or_param'5 = SIDREF:sidref | param:common_param
            bind_joint_axis'5(target:token) = axis:common_sidref_or_param value:kinematics_float_or_param
            bind_kinematics_model'5(node:token) = SIDREF:sidref | param:common_param
            kinematics_connect_param'5(ref!:token)
            kinematics_setparam'5(ref!:token) = float:double | int:long | SIDREF:sidref | bool:boolean
                | connect_param:kinematics_connect_param
            instance_kinematics_scene'5(url!:anyURI sid:NCName name:token) = asset? newparam:kinematics_newparam*
                setparam:kinematics_setparam* bind_kinematics_model* bind_joint_axis* extra*
            kinematics_index'5(semantic:NMTOKEN) = int:long | param:common_param
            kinematics_param'5(ref!:token)
            kinematics_bind'5(symbol!:NCName) = param:kinematics_param | bool:boolean | float:double | int:long
                | SIDREF:sidref
            motion_axis_info'5(sid:NCName axis!:token name:token) = bind:kinematics_bind* newparam:kinematics_newparam*
                setparam:kinematics_setparam* speed:kinematics_float_or_param? acceleration:kinematics_float_or_param?
                deceleration:kinematics_float_or_param? jerk:kinematics_float_or_param?
            instance_kinematics_model'5(url!:anyURI sid:NCName name:token) = bind:kinematics_bind*
                newparam:kinematics_newparam* setparam:kinematics_setparam* extra*
            instance_articulated_system'5(sid:NCName url!:anyURI name:token) = bind:kinematics_bind*
                setparam:kinematics_setparam* newparam:kinematics_newparam* extra*
            kinematics_scene'5(id:ID name:token) = asset? instance_kinematics_model* instance_articulated_system* extra*
            library_kinematics_scenes'5(id:ID name:token) = asset? kinematics_scene+ extra*
            common_float2_or_param'5 = float2:double[2] | param:common_param
            motion_effector_info'5(sid:NCName name:token) = bind:kinematics_bind* newparam:kinematics_newparam*
                setparam:kinematics_setparam* speed:common_float2_or_param? acceleration:common_float2_or_param?
                deceleration:common_float2_or_param? jerk:common_float2_or_param?
            motion_technique'5 = axis_info:motion_axis_info* effector_info:motion_effector_info?
            motion'5 = instance_articulated_system technique_common:motion_technique technique* extra*
            minmax'5(name:token sid:NCName) : double
            joint_limits'5 = min:minmax? max:minmax?
            axis'5(sid:NCName name:token) : double[3]
            axis_constraint'5(sid:NCName) = axis limits:joint_limits?
            joint'5(id:ID name:token sid:NCName) = (prismatic:axis_constraint | revolute:axis_constraint)+ extra*
            library_joints'5(id:ID name:token) = asset? joint+ extra*
            formula_technique'5 = mathml:math:anyType
            formula_newparam'5(sid:NCName) = float:double | int:long | SIDREF:sidref | bool:boolean
            formula_setparam'5(ref!:token) = float:double | int:long | SIDREF:sidref | bool:boolean
                | connect_param:kinematics_connect_param
            instance_formula'5(sid:NCName name:token url:anyURI) = setparam:formula_setparam*
            formula'5(id:ID name:token sid:NCName) = newparam:formula_newparam* target:kinematics_float_or_param
                technique_common:formula_technique technique*
            kinematics_model_technique'5 = newparam:kinematics_newparam* (instance_joint | joint)* link+
                (formula | instance_formula)*
            kinematics_model'5(id:ID name:token) = asset? technique_common:kinematics_model_technique technique* extra*
            library_kinematics_models'5(id:ID name:token) = asset? kinematics_model+ extra*
            kinematics_axis_info'5(sid:NCName name:token axis!:token) = newparam:kinematics_newparam*
                active:common_bool_or_param? locked:common_bool_or_param? index:kinematics_index*
                limits:kinematics_limits? (formula | instance_formula)*
            kinematics_technique'5 = axis_info:kinematics_axis_info* frame_origin:kinematics_frame
                frame_tip:kinematics_frame frame_tcp:kinematics_frame? frame_object:kinematics_frame?
            kinematics'5 = instance_kinematics_model+ technique_common:kinematics_technique technique* extra*
            articulated_system'5(id:ID name:token) = asset? (kinematics | motion) extra*
            library_articulated_systems'5(id:ID name:token) = asset? articulated_system+ extra*
            library_formulas'5(id:ID name:token) = asset? formula+ extra*
            """,
        units: [.joint, .formula, .kinematicsModel, .articulatedSystem, .kinematicsScene],
        texts: [.axis, .bool, .int, .sidref], extended: [.kinematicsModel, .articulatedSystem])
}
