/// One change of a document at one site.
struct Mutation {
    enum Change: String, CaseIterable {
        /// A reference that leads nowhere, or a word that means nothing.
        case nowhere
        /// The id of an element of another kind.
        case wrongKind
        case emptied
        case removed
        /// An id that another element has already.
        case duplicated
    }
    let site: MarkupSite
    let change: Change
    /// What stands there instead; `nil` when it is removed.
    let value: String?

    /// Every change that a site can be put through.
    static func all(of site: MarkupSite, in scan: MarkupScan) -> [Mutation] {
        let element = scan.elements[site.element]
        switch site.kind {
        case .text where !texts.contains(element.name) || !isReference(element, in: scan): return []
        case .text, .attribute: return Change.allCases.compactMap { mutation($0, site, scan) }
        }
    }

    /// The elements whose words lead to other elements.
    private static let texts: Set<String> = [
        "skeleton", "init_from", "source", "Name_array", "IDREF_array", "SIDREF_array", "SIDREF", "param", "csymbol",
        "ci",
    ]

    /// An image's own path leads to a file, and the words of an INTERPOLATION are no names.
    private static func isReference(_ element: MarkupScan.Element, in scan: MarkupScan) -> Bool {
        let parent = element.parent.map { scan.elements[$0].name }
        let isInterpolation = element.name == "Name_array" && element.id?.contains("kinds") == true
        return parent != "image" && !isInterpolation
    }

    private static func mutation(_ change: Change, _ site: MarkupSite, _ scan: MarkupScan) -> Mutation? {
        let old = scan.text(site)
        let element = scan.elements[site.element]
        let hash = old.hasPrefix("#") ? "#" : ""
        switch change {
        case .nowhere: return Mutation(site: site, change: change, value: hash + "nowhere")
        case .wrongKind:
            guard site.isReference else { return nil }
            let other = element.name == "instance_visual_scene" ? "geometry-wall" : "scene-town"
            return Mutation(site: site, change: change, value: hash + other)
        case .emptied: return Mutation(site: site, change: change, value: "")
        case .removed:
            switch site.kind {
            case .text: return nil
            case .attribute: return Mutation(site: site, change: change, value: nil)
            }
        case .duplicated:
            guard site.kind == .attribute("id") else { return nil }
            let namesake = scan.elements.first { $0.name == element.name && $0.id != nil && $0.id != element.id }
            let other = namesake ?? scan.elements.first { $0.id != nil && $0.id != element.id }
            return other.map { Mutation(site: site, change: change, value: $0.id) }
        }
    }

    func bytes(of scan: MarkupScan) -> [UInt8] {
        var bytes = scan.bytes
        if let value {
            bytes.replaceSubrange(site.value, with: Array(value.utf8))
        } else {
            bytes.removeSubrange(site.whole)
        }
        return bytes
    }

    /// Such as `accessor/@count removed`.
    func description(in scan: MarkupScan) -> String {
        let name = scan.elements[site.element].name
        switch site.kind {
        case .attribute(let attribute): return "\(name)/@\(attribute) \(change.rawValue)"
        case .text: return "\(name) \(change.rawValue)"
        }
    }
}

extension MarkupSite {
    /// Whether its words lead to other elements.
    var isReference: Bool {
        switch kind {
        case .text: true
        case .attribute(let name):
            [
                "url", "source", "target", "texture", "ref", "convex_hull_of", "symbol", "material", "parent", "body",
                "rigid_body", "constraint", "joint", "axis", "node", "link",
            ].contains(name)
        }
    }
}
