import DaeCore
import DaeDiagnostics
import DaeScene
import DaeXML

/// What the ids of a document, and of those it refers to, lead to.
struct ReferenceTable {
    /// The document whose ids count where nothing else says which: that of the element being looked at.
    var home = 0
    private let shared: SharedDocument
    private var linked: LinkedDocument { _read { yield shared.linked } }
    private let repairs: ColladaOptions.Repairs
    private var targets: [IDTable<Target>]
    /// The first of every other kind with an id that stands more than once.
    private var namesakes: [[String: [Target]]]
    /// Made when first asked for: most documents never need it.
    private var names: [Name: Named]?

    private struct Name: Hashable {
        let document: Int
        let kind: LibraryKind
        let text: String
    }

    private enum Named {
        case once(Target)
        case several
    }

    init(_ shared: SharedDocument, options: ColladaOptions = ColladaOptions()) {
        self.shared = shared
        repairs = options.repairs
        targets = shared.linked.paths.map { _ in IDTable() }
        namesakes = shared.linked.paths.map { _ in [:] }
        let document = shared.linked.document
        // One more than there is room for would double the room.
        if targets.count == 1 {
            targets[0].reserveCapacity(LibraryKind.allCases.reduce(0) { $0 + document.count(of: $1) })
        }
        for kind in LibraryKind.allCases {
            document.forEach(kind) { index, entry in
                guard let id = entry.id, !id.isEmpty, targets.indices.contains(entry.position.document) else { return }
                let target = Target(kind, index)
                let known = targets[entry.position.document].insert(target, for: id)
                noteNamesake(target, of: known, id, in: entry.position.document)
            }
        }
    }

    /// That an id stands twice was reported by who read it.
    private mutating func noteNamesake(_ target: Target, of first: Target?, _ id: String, in document: Int) {
        guard let first else { return }
        // One of each kind, so that no lookup has to pass many.
        let others = namesakes[document][id] ?? []
        guard first.kind != target.kind, !others.contains(where: { $0.kind == target.kind }) else { return }
        namesakes[document][id] = others + [target]
    }

    /// Gives the memory back once all references were followed.
    mutating func forget() {
        targets = targets.map { _ in IDTable() }
        namesakes = namesakes.map { _ in [:] }
        names = nil
    }

    /// Where an element is, with its id.
    func place(of target: Target) -> Place {
        let entry = linked.document.entry(target.kind, at: target.index)
        return Place(entry.position, of: entry.id)
    }

    // MARK: - References

    /// What a reference within its document leads to, as nearly all are written: with its `#`, to the first element of
    /// an id. Where that is `nil` or not what is meant, ``resolve(_:_:log:)`` says more.
    func plainTarget(of reference: ColladaDocument.Reference) -> Target? {
        guard reference.isLocal, targets.indices.contains(reference.document) else { return nil }
        return targets[reference.document][reference.id]
    }

    /// What a reference leads to. One without `#` is taken as an id and reported, and what has no such id is looked for by
    /// its name and reported.
    ///
    /// - Parameter expected: The kinds that are meant, where an id or name stands more than once.
    mutating func resolve(
        _ reference: ColladaDocument.Reference, _ expected: [LibraryKind], log: inout FindingLog
    ) -> Result {
        guard let file = reference.file else {
            if let found = lookUp(reference.id, in: reference.document, where: { expected.contains($0.kind) }) {
                if !reference.isLocal { reportMissingHash(reference, &log) }
                return .found(found)
            }
            return byName(reference, expected, in: reference.document, &log).map { .found($0) } ?? .missing
        }
        switch linked.links[.init(document: reference.document, name: file)] {
        case nil: return .external(.notRead)
        case .missing(let tried): return .external(.noFile(tried: tried))
        case .unreadable(let path, let reason): return .external(.unreadable(path: path, reason: reason))
        case .blocked(let reason): return .external(.blocked(reason: reason))
        case .document(let document):
            let found =
                lookUp(reference.id, in: document, where: { expected.contains($0.kind) })
                ?? byName(reference, expected, in: document, &log)
            if let found { return .found(found) }
            return document == reference.document
                ? .missing : .external(.noID(path: linked.paths[document] ?? file))
        }
    }

    /// The document that a reference leads into; `nil` for one that was not read.
    func document(of reference: ColladaDocument.Reference) -> Int? {
        guard let file = reference.file else { return reference.document }
        switch linked.links[.init(document: reference.document, name: file)] {
        case .document(let document): return document
        case .missing, .unreadable, .blocked, nil: return nil
        }
    }

    /// The element with an id.
    ///
    /// - Parameters:
    ///   - document: ``home`` where it is not given.
    ///   - isWanted: Which one is meant where an id stands twice.
    func lookUp(_ id: String, in document: Int? = nil, where isWanted: (Target) -> Bool) -> Target? {
        let document = document ?? home
        guard targets.indices.contains(document) else { return nil }
        func lookUp(_ id: String) -> Target? {
            guard let first = targets[document][id] else { return nil }
            return isWanted(first) ? first : namesakes[document][id]?.first(where: isWanted) ?? first
        }
        if let found = lookUp(id) { return found }
        let decoded = id.percentDecoded
        return decoded == id ? nil : lookUp(decoded)
    }

    /// The element of a kind with an id, by its place in the list of its kind.
    ///
    /// - Parameter document: ``home`` where it is not given.
    func lookUp(_ id: String, in document: Int? = nil, _ kind: LibraryKind) -> Int? {
        lookUp(id, in: document) { $0.kind == kind }?.index(of: kind)
    }

    /// The only element of some kinds that has a name: the last resort for a reference whose id is nowhere.
    mutating func lookUp(name: String, in document: Int? = nil, _ kinds: [LibraryKind]) -> Target? {
        guard !name.isEmpty else { return nil }
        if names == nil { names = Self.names(of: linked.document) }
        var found: Target?
        for kind in kinds {
            switch names?[Name(document: document ?? home, kind: kind, text: name)] {
            case nil: continue
            case .several: return nil
            case .once(let target):
                guard found == nil else { return nil }
                found = target
            }
        }
        return found
    }

    private mutating func byName(
        _ reference: ColladaDocument.Reference, _ expected: [LibraryKind], in document: Int, _ log: inout FindingLog
    ) -> Target? {
        let id = reference.id
        guard repairs == .made,
            let found = lookUp(name: id, in: document, expected)
                ?? lookUp(name: id.percentDecoded, in: document, expected)
        else { return nil }
        log.add(
            .refByName, at: Place(reference.position),
            "\(reference.text.quoted()) is no id; the only \(found.kind.element) of that name was taken",
            arguments: [.init("reference", reference.text), .init("element", found.kind.element)])
        return found
    }

    private static func names(of document: ColladaDocument) -> [Name: Named] {
        var names: [Name: Named] = [:]
        for kind in LibraryKind.allCases where kind.isFoundByName {
            document.forEach(kind) { index, entry in
                guard let name = entry.name, !name.isEmpty else { return }
                let key = Name(document: entry.position.document, kind: kind, text: name)
                names[key] = names[key] == nil ? .once(Target(kind, index)) : .several
            }
        }
        return names
    }

    func reportMissingHash(_ reference: ColladaDocument.Reference, _ log: inout FindingLog) {
        let text = reference.text
        log.add(
            .refMissingHash, at: Place(reference.position),
            "the reference \(text.quoted()) lacks its #",
            arguments: [.init("reference", text)], fix: "write #\(text)")
    }
}

extension ReferenceTable {
    /// An element that a reference may lead to, by its place in the document's list of its kind.
    ///
    /// In eight bytes: a table of ids has one for each of a document's elements.
    struct Target: Hashable, BitwiseCopyable {
        let kind: LibraryKind
        /// More elements than fit would need hundreds of gigabytes.
        private let place: UInt32

        init(_ kind: LibraryKind, _ index: Int) {
            self.kind = kind
            place = UInt32(truncatingIfNeeded: index)
        }

        var index: Int { Int(place) }

        /// `nil` where it is of another kind.
        func index(of kind: LibraryKind) -> Int? { self.kind == kind ? index : nil }
    }

    enum Result {
        case found(Target)
        case missing
        case external(Absence)
    }

    /// Why another document's element is not there.
    enum Absence {
        /// Other documents were not asked for.
        case notRead
        case noFile(tried: String)
        case unreadable(path: String, reason: String)
        /// Why, as a clause that follows "it".
        case blocked(reason: String)
        /// The document was read and has no such id.
        case noID(path: String)
    }
}

// What is wrong with references.

extension FindingLog {
    /// - Parameter expected: What there should be, with its article.
    mutating func reportMissing(
        _ reference: ColladaDocument.Reference, _ code: FindingCode, expected: @autoclosure () -> String,
        severity: Severity? = nil
    ) {
        add(
            code, at: Place(reference.position),
            "\(reference.text.quoted()) leads to nothing; expected \(expected())",
            arguments: [.init("reference", reference.text)], severity: severity)
    }

    mutating func reportWrongType(
        _ reference: ColladaDocument.Reference, _ target: ReferenceTable.Target, expected: [LibraryKind],
        in table: ReferenceTable
    ) {
        let element = target.kind.element
        add(
            .refWrongType, at: Place(reference.position),
            "\(reference.text.quoted()) leads to \(element.withArticle); expected \(expected.words.withArticle)",
            arguments: [.init("reference", reference.text), .init("element", element)],
            related: [table.place(of: target)])
    }

    /// Tells of an id behind a `#`, where there should be the id alone.
    ///
    /// - Parameter what: What it is the id of, for the message.
    mutating func reportHash(_ text: String, _ what: String, at place: Place) {
        add(
            .quirkIDHash, at: place, "\(what) is written \(text.quoted()); its # was passed over",
            arguments: [.init("reference", text)], fix: "write \(text.dropFirst())")
    }

    /// Tells why what a reference into another document leads to is not there.
    mutating func report(
        _ absence: ReferenceTable.Absence, of reference: ColladaDocument.Reference, severity: Severity
    ) {
        var code = FindingCode.refExternalUnresolved
        var path: String?
        let reason: String
        if let scheme = URIReference(reference.text).unknownScheme {
            let known = URIReference.followedSchemes.sorted().joined(separator: ", ")
            add(
                .uriUnsupportedScheme, at: Place(reference.position),
                "\(reference.text.quoted()) was not followed: its scheme is \(scheme.quoted(40)); known are \(known)",
                arguments: [.init("reference", reference.text), .init("scheme", scheme)], severity: severity)
            return
        }
        switch absence {
        case .notRead: reason = "is in another document, which was not read"
        case .noFile(let tried):
            path = tried
            reason = "is in another document, and there is no \(tried.prefix(200))"
        case .unreadable(let file, let fault):
            path = file
            reason = "is in \(file.prefix(200)), which cannot be read: \(fault)"
        case .noID(let file):
            path = file
            reason = "leads to nothing: \(file.prefix(200)) has no such id"
        case .blocked(let fault):
            code = .refExternalBlocked
            reason = "was not followed: its document \(fault)"
        }
        add(
            code, at: Place(reference.position), "\(reference.text.quoted()) \(reason)",
            arguments: [.init("reference", reference.text)] + (path.map { [.init("path", $0)] } ?? []),
            severity: code == .refExternalBlocked ? nil : severity)
    }
}

extension [LibraryKind] {
    /// Their elements, one or the other.
    var words: String { map(\.element).joined(separator: " or ") }
}

extension String {
    /// Behind `a` or `an`; of an element's name, whose first letter says which.
    var withArticle: String { ("aeio".contains(first ?? " ") ? "an " : "a ") + self }
}
