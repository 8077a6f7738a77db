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
