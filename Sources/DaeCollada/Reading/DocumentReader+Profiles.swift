// Profiles other than the common one: what they are made of, from the elements as they stand.

import DaeScene
import DaeSchema

extension DocumentReader {
    mutating func decodeProfile(_ view: ElementView, _ kind: ColladaDocument.Profile.Kind) -> ColladaDocument.Profile {
        var profile = ColladaDocument.Profile(kind: kind, id: view.attribute(.id), position: view.position)
        guard let element = view.raws.first(where: { $0.localName == kind.rawValue }) else { return profile }
        profile.platform = element["platform"]
        profile.url = element["url"]
        profile.parameters = element.newParameters
        profile.code = element.code
        profile.images = element.all("image").compactMap { $0["id"] }
        for technique in element.all("technique") {
            profile.images += technique.all("image").compactMap { $0["id"] }
            profile.techniques.append(
                .init(
                    id: technique["id"], sid: technique["sid"], parameters: technique.newParameters,
                    code: technique.code, passes: technique.all("pass").map(\.pass)))
        }
        profile.element = element
        return profile
    }
}

extension RawElement {
    fileprivate var newParameters: [ColladaDocument.Profile.NewParameter] {
        all("newparam").map { parameter in
            let value = parameter.children.last { !["annotate", "semantic", "modifier"].contains($0.localName) }
            return .init(
                sid: parameter["sid"], kind: value.map { String($0.localName) },
                semantic: parameter.all("semantic").first?.text)
        }
    }

    fileprivate var code: [ColladaDocument.Profile.Code] {
        children.compactMap { child in
            switch child.localName {
            case "code": .inline(sid: child["sid"], text: child.text)
            case "include": .include(sid: child["sid"], url: child["url"] ?? "")
            default: nil  // strings: every other one is no code
            }
        }
    }

    /// 1.4 has shaders in the pass, 1.5 in its program.
    fileprivate var pass: ColladaDocument.Profile.Pass {
        let shaders = all("shader") + all("program").flatMap { $0.all("shader") }
        return .init(sid: self["sid"], stages: shaders.map { $0["stage"] })
    }
}
