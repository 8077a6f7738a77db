// Where references lead.

import Diagnostics
import SceneModel
import URIReference
import XMLReader

extension SceneBuilder {
    /// - Parameters:
    ///   - expected: The elements it may lead to. Another one is given all the same.
    ///   - code: Of what is told where it leads nowhere.
    mutating func find(
        _ reference: ColladaDocument.Reference, _ expected: [String], severity: Severity,
        else code: FindingCode = .refUnresolved
    ) -> ReferenceTable.Target? {
        guard !reference.isAbsent else { return nil }
        switch table.resolve(reference, expected, log: &log) {
        case .found(let target): return target
        case .missing:
            log.add(
                code, at: Place(reference.position),
                "\(reference.text.quoted()) leads to nothing; expected the id of \(expected.joined(separator: " or ").withArticle)",
                arguments: [.init("reference", reference.text)], severity: severity)
        case .external(let absence): log.tell(absence, of: reference, severity: severity)
        }
        return nil
    }

    mutating func tellWrongType(
        _ reference: ColladaDocument.Reference, _ target: ReferenceTable.Target, expected: String
    ) {
        log.add(
            .refWrongType, at: Place(reference.position),
            "\(reference.text.quoted()) leads to \(target.element.withArticle); expected \(expected.withArticle)",
            arguments: [.init("reference", reference.text), .init("element", target.element)],
            related: [table.place(of: target)])
    }
}

extension SceneBuilder {
    /// Tells of an id behind a `#`, where there should be the id alone.
    ///
    /// - Parameter what: What it is the id of, for the message.
    mutating func tellHash(_ text: String, _ what: String, at place: Place) {
        log.add(
            .quirkIDHash, at: place, "\(what) is written \(text.quoted()); its # was passed over",
            arguments: [.init("reference", text)], fix: "write \(text.dropFirst())")
    }
}

extension FindingLog {
    /// Tells why what a reference into another document leads to is not there.
    mutating func tell(
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

extension String {
    /// Behind `a` or `an`; of an element's name, whose first letter says which.
    var withArticle: String { ("aeio".contains(first ?? " ") ? "an " : "a ") + self }
}
