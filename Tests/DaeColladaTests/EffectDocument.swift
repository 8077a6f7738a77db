import DaeCollada
import DaeScene

/// Documents of one material and its effect.
enum EffectDocument {
    static let images = (0..<3).map { "<image id='i\($0)'><init_from>\($0).png</init_from></image>" }.joined()

    /// A common profile around a shading element's content.
    static func profile(_ properties: String, shading: String = "phong", parameters: String = "", extra: String = "")
        -> String
    {
        "<profile_COMMON>\(parameters)<technique sid='common'><\(shading)>\(properties)</\(shading)>\(extra)</technique></profile_COMMON>"
    }

    static func outcome(
        _ effect: String, settings: String = "", material: String = "", in document: Document = Document(),
        retention: ColladaOptions.Retention = .everything
    ) -> Outcome {
        var document = document
        document.body =
            "<library_images>\(images)</library_images><library_effects><effect id='e'>\(effect)</effect></library_effects>"
            + "<library_materials><material id='m'><instance_effect url='#e'>\(settings)</instance_effect>\(material)</material></library_materials>"
        document.node = ""
        var options = ColladaOptions()
        options.retention = retention
        return Outcome(document.text, options: options)
    }

    static func surface(_ sid: String, _ image: String) -> String {
        "<newparam sid='\(sid)'><surface type='2D'><init_from>\(image)</init_from></surface></newparam>"
    }

    static func sampler(_ sid: String, _ surface: String, _ states: String = "") -> String {
        "<newparam sid='\(sid)'><sampler2D><source>\(surface)</source>\(states)</sampler2D></newparam>"
    }

    static func texture(_ property: String, _ sampler: String, _ texcoord: String = "UV", extra: String = "") -> String
    {
        "<\(property)><texture texture='\(sampler)' texcoord='\(texcoord)'>\(extra)</texture></\(property)>"
    }
}
