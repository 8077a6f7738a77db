import ColladaParser
import SceneModel
import XMLReader

/// An address of an element or a file, as it is written.
struct WrittenAddress {
    private enum Form {
        /// Of an element of its own document: a `#` and what is kept of it.
        case local
        case other
    }
    private let form: Form
    /// All of it but for a `#` that it begins with.
    let rest: String
    let position: XMLPosition

    init(_ text: String, at position: XMLPosition) {
        (form, rest) = (.other, text)
        self.position = position
    }

    init(_ reference: borrowing ColladaDocument.Reference) {
        if reference.isLocal {
            (form, rest) = (.local, reference.withoutHash)
        } else {
            (form, rest) = (.other, reference.text)
        }
        position = reference.position
    }

    /// Whether it is surely nothing but an id or a path: `false` says nothing.
    var isPlain: Bool {
        switch form {
        case .local: !rest.mayBeOddAddress(orHave: 0)
        case .other: !rest.mayBeOddAddress(orHave: UInt8(ascii: ":"))
        }
    }

    var text: String {
        switch form {
        case .local: "#" + rest
        case .other: rest
        }
    }

    /// Before the first colon; `nil` for a drive's letter, and where there is none.
    var scheme: String? {
        switch form {
        case .local: nil
        case .other: rest.scheme
        }
    }
}

extension ColladaDocument {
    /// Every address of an element or a file, with the id of the element it is of. Targets that are paths of sids are no
    /// addresses.
    func forEachAddress(_ visit: (WrittenAddress, _ id: () -> String?) -> Void) {
        for image in images {
            if case .reference(let text) = image.content {
                visit(WrittenAddress(text, at: image.position)) { image.id }
            }
            for part in image.parts {
                if case .reference(let text) = part.content {
                    visit(WrittenAddress(text, at: image.position)) { image.id }
                }
            }
        }
        for index in materials.indices {
            if let effect = materials[index].effect { visit(WrittenAddress(effect)) { materials[index].id } }
        }
        for index in geometries.indices {
            guard case .convexMesh(_, let hull?) = geometries[index].kind else { continue }
            visit(WrittenAddress(hull)) { geometries[index].id }
        }
        for controller in controllers {
            switch controller.kind {
            case .skin(let skin): visit(WrittenAddress(skin.source)) { controller.id }
            case .morph(let morph): visit(WrittenAddress(morph.source)) { controller.id }
            case .empty: break
            }
        }
        for clip in animationClips {
            for reference in clip.animations { visit(WrittenAddress(reference)) { clip.id } }
        }
        for index in nodes.indices {
            nodes[index].contents.forEachReference { visit(WrittenAddress($0)) { nodes[index].id } }
        }
        if let shown = scene?.visualScene { visit(WrittenAddress(shown)) { nil } }
    }
}

extension String {
    /// Whether it has a byte that an address may not hold everywhere, or a certain other one.
    fileprivate func mayBeOddAddress(orHave other: UInt8) -> Bool {
        let found = utf8.withContiguousStorageIfAvailable { bytes in
            // To its end in any case, so that no byte waits for another.
            var isOdd = false
            for index in bytes.indices {
                let byte = bytes[index]
                if byte.maySpoilAddress || byte == other { isOdd = true }
            }
            return isOdd
        }
        return found ?? true
    }

    fileprivate var scheme: String? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = utf8[..<colon]
        guard scheme.count > 1, scheme.count < 32, let first = scheme.first, first.isLetter else { return nil }
        let rest = scheme.dropFirst().allSatisfy { byte in
            byte.isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
        return rest ? String(Substring(scheme)) : nil
    }
}

extension UInt8 {
    /// Whether an address may not hold it, or not everywhere.
    @inline(__always)
    fileprivate var maySpoilAddress: Bool {
        self <= 0x20 || self == UInt8(ascii: "\\") || self == UInt8(ascii: "%") || self == 0x7F
    }

    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
