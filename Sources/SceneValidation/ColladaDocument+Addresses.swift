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
        var rest = rest
        switch form {
        case .local: return rest.withUTF8 { !AddressBytes.mayBeOdd(UnsafeRawBufferPointer($0), isLocal: true) }
        case .other: return rest.withUTF8 { !AddressBytes.mayBeOdd(UnsafeRawBufferPointer($0), isLocal: false) }
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
    /// Every address of an element or a file that is not surely plain, with the id of the element it is of. Targets that
    /// are paths of sids are no addresses.
    func forEachOddAddress(_ visit: (WrittenAddress, _ id: String?) -> Void) {
        // The ids are asked for only where there is something to tell.
        func look(at address: WrittenAddress, of id: @autoclosure () -> String?) {
            if !address.isPlain { visit(address, id()) }
        }
        for image in images {
            if case .reference(let text) = image.content {
                look(at: WrittenAddress(text, at: image.position), of: image.id)
            }
            for part in image.parts {
                if case .reference(let text) = part.content {
                    look(at: WrittenAddress(text, at: image.position), of: image.id)
                }
            }
        }
        for index in materials.indices {
            if let effect = materials[index].effect { look(at: WrittenAddress(effect), of: materials[index].id) }
        }
        for index in geometries.indices {
            guard case .convexMesh(_, let hull?) = geometries[index].kind else { continue }
            look(at: WrittenAddress(hull), of: geometries[index].id)
        }
        for controller in controllers {
            switch controller.kind {
            case .skin(let skin): look(at: WrittenAddress(skin.source), of: controller.id)
            case .morph(let morph): look(at: WrittenAddress(morph.source), of: controller.id)
            case .empty: break
            }
        }
        for clip in animationClips {
            for reference in clip.animations { look(at: WrittenAddress(reference), of: clip.id) }
        }
        // By their bytes: most addresses are here, and nearly all are plain.
        nodes.forEachReference(where: AddressBytes.mayBeOdd) { reference, node in
            look(at: WrittenAddress(reference), of: nodes[node].id)
        }
        if let shown = scene?.visualScene { look(at: WrittenAddress(shown), of: nil) }
    }
}

extension String {
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
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
