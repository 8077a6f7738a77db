package import DaeArchive
package import DaeCore

/// Finds which file of a bundle a document's reference means, and says by which rule.
///
/// Of the bundle's files it reads manifests alone (`package.xml`, `model.config`, `textures.txt`, KML), and those only
/// when a reference asks for them.
package struct ResourceLocator: Sendable {
    /// Which rules are tried.
    package enum Rules: Sendable, Hashable {
        case all
        /// Those that take a reference at its word.
        case literal
    }
    package var rules = Rules.all
    private let ground: SearchGround
    private let lone: LoneFolder?
    /// Where a lone document came from.
    private var address: URIReference?
    /// Of what lies around an archive within a bundle, with the archive's path there; at most one.
    private let around: [(locator: ResourceLocator, path: String)]

    /// Takes the container's list of paths once; files that come later are not found by name.
    package init(container: any ResourceContainer, policy: LocatorPolicy = .bundleOnly) {
        self.init(container, policy, document: nil, lone: nil, around: nil)
    }

    /// - Parameter document: Where a lone document's bundle lies on this machine; without it its own folder is the root,
    ///   and only files that a reference leads to are found there, not those found by searching.
    /// - Parameter address: Where a lone document came from; what lies beside it then is on the web, too.
    package init(
        bundle: Bundle, policy: LocatorPolicy = .bundleOnly, document: LoneDocument? = nil, address: String? = nil
    ) {
        let lone = bundle.kind == .dae ? document.flatMap { LoneFolder($0, links: policy.links) } : nil
        self.init(
            lone ?? bundle, policy, document: lone == nil ? nil : document, lone: lone, around: bundle.surroundings)
        if bundle.kind == .dae { self.address = address.map(URIReference.init) }
    }

    /// Of a file that is no document and refers to others, such as a robot's description; `nil` where its folder is gone.
    init?(beside file: LoneDocument, policy: LocatorPolicy) {
        guard let lone = LoneFolder(file, links: policy.links) else { return nil }
        self.init(lone, policy, document: file, lone: lone, around: nil)
    }

    private init(
        _ container: any ResourceContainer, _ policy: LocatorPolicy, document: LoneDocument?, lone: LoneFolder?,
        around: Bundle.Surroundings?
    ) {
        self.lone = lone
        self.around = around.map { [(ResourceLocator(bundle: $0.bundle, policy: policy), $0.path)] } ?? []
        ground = SearchGround(
            container: container, indexes: BundleIndexes(container),
            frame: BundleFrame(folder: document.map { BundlePath.folder(of: $0.path) } ?? ""),
            host: HostGround(policy, document))
    }

    /// Follows a reference that stands in the document at `base`, a path in the bundle, or an address of the web: what is
    /// beside that is on the web as well, and nothing of the bundle.
    ///
    /// - Complexity: a bounded number of lookups, whatever the bundle's size.
    package func resolve(_ reference: String, from base: String, as use: ResourceUse = .image()) -> Resolution {
        if let address = URIReference.ofWeb(base) { return resolve(reference, from: address) }
        let own = resolveWithin(reference, from: base, as: use)
        switch own.outcome {
        case .missing, .blocked(.leavesBundle): break
        case .found, .outside, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded: return own
        }
        guard !reference.allSatisfy(\.isWhitespace) else { return own }
        if let address { return remote(own, from: address) ?? own }
        guard let (locator, archive) = around.first else { return own }
        var outer = locator
        outer.rules = rules
        let other = outer.resolve(reference, from: BundlePath.join(archive, base), as: use)
        guard case .found = other.outcome else { return own }
        return Resolution(
            reference: reference, isAbsolute: own.isAbsolute, trace: own.trace + other.trace, outcome: other.outcome)
    }

    /// Whether a lone document came from this address. Its own query may be a key that no document knows.
    package func isOwnAddress(_ url: String) -> Bool {
        guard let address else { return false }
        let other = URIReference(url)
        return other.path == address.path && (other.query == nil || other.query == address.query)
            && other.scheme == address.scheme && other.host == address.host
    }

    /// What a relative reference means on the web; `nil` for a place on somebody's machine.
    private func remote(_ own: Resolution, from address: URIReference) -> Resolution? {
        guard !own.isAbsolute else { return nil }
        let text = own.reference.replacing("\\", with: "/").trimmingSpaces
        let reference = URIReference(text)
        guard reference.scheme == nil, reference.authority == nil, !reference.path.isEmpty else { return nil }
        var target = reference.resolved(against: address)
        target.path = target.path.replacing(" ", with: "%20")
        // Name and password are for what was asked for by hand.
        target.authority = target.host
        return Resolution(
            reference: own.reference, isAbsolute: false, trace: own.trace, outcome: .remote(url: target.text))
    }

    /// Follows a reference that stands in a document of the web.
    private func resolve(_ reference: String, from address: URIReference) -> Resolution {
        func settled(_ outcome: Resolution.Outcome, isAbsolute: Bool = false) -> Resolution {
            Resolution(reference: reference, isAbsolute: isAbsolute, trace: [], outcome: outcome)
        }
        switch Reference(reference) {
        case .empty: return settled(.missing)
        case .embedded(let mediaType): return settled(.embedded(mediaType: mediaType))
        case .blocked(let reason): return settled(.blocked(reason))
        case .remote(let url): return settled(.remote(url: url))
        case .local(let text, let isFileURI):
            let isAbsolute = isFileURI || ReferenceTexts(text, isFileURI: false, folder: "").isAbsolute
            let own = settled(.missing, isAbsolute: isAbsolute)
            return remote(own, from: address) ?? own
        }
    }

    private func resolveWithin(_ reference: String, from base: String, as use: ResourceUse) -> Resolution {
        func settled(_ outcome: Resolution.Outcome) -> Resolution {
            Resolution(reference: reference, isAbsolute: false, trace: [], outcome: outcome)
        }
        let document = ground.frame.inward(base)
        let folder = BundlePath.folder(of: document)
        switch Reference(reference) {
        case .empty:
            var search = ReferenceSearch("", folder: folder, use, rules, in: ground)
            let outcome = search.findByImage()
            return Resolution(reference: reference, isAbsolute: false, trace: search.trace, outcome: outcome)
        case .embedded(let mediaType): return settled(.embedded(mediaType: mediaType))
        case .blocked(let reason): return settled(.blocked(reason))
        case .remote(let url):
            guard let address = FuelAddress(url) else { return settled(.remote(url: url)) }
            var search = ReferenceSearch(url, folder: folder, use, rules, in: ground)
            let outcome = search.find(address) ?? .remote(url: url)
            return Resolution(reference: reference, isAbsolute: false, trace: search.trace, outcome: outcome)
        case .local(let text, let isFileURI):
            var search = ReferenceSearch(
                text, isFileURI: isFileURI, folder: folder, document: document, use, rules, in: ground)
            let outcome = search.run()
            return Resolution(
                reference: reference, isAbsolute: isFileURI || search.isAbsolute, trace: search.trace,
                outcome: outcome)
        }
    }

    /// The bytes of what was found, where they are no entry of the bundle: a file beside a lone document, or one
    /// outside; `nil` for what the bundle itself reads, and for what was not found.
    ///
    /// Nothing but a regular file is opened, and of links only those of a lone document's own files where the policy
    /// allows host paths.
    package func source(of resolution: Resolution) throws(ByteSourceError) -> FileByteSource? {
        switch resolution.outcome {
        case .found(let path, _, _): return try lone?.file(at: ground.frame.inward(path), shown: path)
        case .outside(let file, _, _): return try ground.host.open(file)
        case .missing, .ambiguous, .blocked, .remote, .fetched, .unfetched, .embedded: return nil
        }
    }
}

extension URIReference {
    /// A text that is an address of the web by itself.
    fileprivate static func ofWeb(_ text: String) -> URIReference? {
        // Most texts are paths.
        guard let first = text.utf8.first, first | 0x20 == UInt8(ascii: "h") else { return nil }
        let address = URIReference(text)
        guard address.authority != nil, address.hasScheme("http") || address.hasScheme("https") else { return nil }
        return address
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// Whether files of this machine may stand for what a bundle lacks.
public enum LocatorPolicy: Sendable, Hashable {
    /// Nothing outside the bundle is ever looked at.
    case bundleOnly
    /// Files below these folders may be used, and what a lone document means may lie outside its root, by `../` or by a
    /// symbolic link. For a command line, whose user owns both.
    case hostPaths([HostRoot])

    var roots: [HostRoot] {
        switch self {
        case .bundleOnly: []
        case .hostPaths(let roots): roots
        }
    }

    /// The links beside a lone document that are followed.
    var links: HostFolder.Links { mayLeaveRoot ? .files : .none }

    /// Whether `../` of a lone document may lead above its root.
    var mayLeaveRoot: Bool {
        switch self {
        case .bundleOnly: false
        case .hostPaths: true
        }
    }
}

/// What a reference is expected to lead to.
package enum ResourceUse: Sendable, Hashable {
    /// An image; its element's id and name may tell a file whose reference is lost.
    case image(id: String? = nil, name: String? = nil)
    /// Another document.
    case document

    /// Whether a rule makes sense for it: a document is not guessed at by what only textures have.
    func allows(_ rule: ResolutionRule) -> Bool {
        switch self {
        case .image: true
        case .document:
            switch rule {
            case .siblingFolder, .textureAlias, .otherExtension, .imageName: false
            case .exact, .percentDecoded, .unicodeForm, .backslashes, .machinePath, .caseFolded, .bundleRoot,
                .bundleRootPercentDecoded, .bundleRootUnicodeForm, .bundleRootBackslashes, .bundleRootMachinePath,
                .bundleRootCaseFolded, .ancestorSuffix, .resourceBundle, .rosPackage, .gazeboModel, .fuelCache,
                .baseName:
                true
            }
        }
    }

    /// Case-folded names that a file of the image may have, without an ending.
    var stems: [String] {
        switch self {
        case .document: return []
        case .image(let id, let name):
            guard let id, let name else { return (id ?? name).map(Self.stems) ?? [] }
            let stems = Self.stems(of: id)
            return id.hasBytes(of: name) ? stems : stems + Self.stems(of: name).filter { !stems.contains($0) }
        }
    }

    private static let marks = Array(".-_".utf8)

    /// Exporters make ids of file names: `wood_png`, `wood.png`, `wood-image`.
    private static func stems(of name: String) -> [String] {
        let name = name.caseFolded
        guard !name.isEmpty, name.utf8.count <= 255, !name.holds(UInt8(ascii: "/")) else { return [] }
        guard let mark = name.lastIndex(ofAny: marks), mark != name.startIndex,
            case let ending = String(name[name.utf8.index(after: mark)...]),
            ending == "image" || ending == "img" || ImageName.endings.contains(ending)
        else { return [name] }
        return [name, String(name[..<mark])]
    }
}
