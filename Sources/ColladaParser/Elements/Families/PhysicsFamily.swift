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
