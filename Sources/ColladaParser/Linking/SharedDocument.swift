/// Documents put together, for all that lead their references: a value of so many lists is dear to copy.
final class SharedDocument: Sendable {
    let linked: LinkedDocument

    init(_ linked: consuming LinkedDocument) { self.linked = linked }
}

protocol DocumentSharing {
    var shared: SharedDocument { get }
}

extension DocumentSharing {
    /// Of all documents; for channels with the animations of one.
    // Lent: a getter would hand out a copy.
    var document: ColladaDocument { _read { yield shared.linked.document } }
}
