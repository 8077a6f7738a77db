import Diagnostics
import XMLReader

extension DocumentReader {
    /// Whether ids are noted here: to the letter the check against the schema tells all of them.
    var notesIDs: Bool {
        switch options.schema {
        case .off, .lenient: true
        case .strict: false
        }
    }

    /// Notes an element's id, and tells of one that another element has.
    ///
    /// - Parameters:
    ///   - hash: Of the id, by ``SeenIDs/expect(_:)``.
    ///   - place: The element's own, with the id.
    func note(_ hash: UInt64, of element: ElementName, at position: XMLPosition, _ place: () -> Place) {
        guard let first = ids.insert(hash, of: element, at: position) else { return }
        let place = place()
        let id = place.elementID ?? ""
        var related = Place(first.position)
        related.elementID = id
        log.add(
            .idDuplicate, at: place,
            "the id \(id.prefix(200).debugDescription) stands twice, first on the <\(first.element.rawValue)> of line \(first.position.line)",
            arguments: [.init("id", id)], related: [related],
            // A reference says by its element which kind is meant, so that nothing is lost.
            severity: first.element == element ? nil : .warning)
    }
}
