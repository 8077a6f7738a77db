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
