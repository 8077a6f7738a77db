import DaeDiagnostics
import DaeSchema
import DaeXML

extension DocumentReader {
    /// Whether ids are noted here: to the letter the check against the schema reports all of them.
    var notesIDs: Bool {
        switch options.schema {
        case .off, .lenient: true
        case .strict: false
        }
    }

    /// Notes an element's id, and reports one that another element has.
    ///
    /// - Parameter place: The element's own, with the id.
    mutating func note(
        _ id: UnsafeRawBufferPointer, of element: ElementName, at position: XMLPosition, _ place: () -> Place
    ) {
        guard let first = ids.insert(id, of: element, at: position) else { return }
        let place = place()
        let id = place.elementID ?? ""
        var related = Place(first.position)
        related.elementID = id
        log.add(
            .idDuplicate, at: place,
            "the id \(id.quoted()) stands twice, first on the <\(first.element.rawValue)> of line \(first.position.line)",
            arguments: [.init("id", id)], related: [related],
            // A reference says by its element which kind is meant, so that nothing is lost.
            severity: first.element == element ? nil : .info)
    }

    /// Of an element that is not read; where it is in the tree is not known.
    mutating func noteID(of element: ElementName, _ attributes: XMLAttributes, at position: XMLPosition) {
        for index in 0..<attributes.count
        where attributes.number(at: index).flatMap({ vocabulary.attribute($0) }) == .id {
            let id = attributes.value(at: index)
            guard notesIDs, !id.isEmpty else { return }
            note(id, of: element, at: position) {
                var place = Place(position)
                place.elementID = String(xml: id)
                return place
            }
        }
    }
}
