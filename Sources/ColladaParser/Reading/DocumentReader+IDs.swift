import Diagnostics
import XMLReader

extension DocumentReader {
    /// Notes an element's id, and tells of one that another element has.
    ///
    /// - Parameter place: The element's own.
    func note(
        _ id: UnsafeRawBufferPointer, of element: ElementName, at position: XMLPosition, _ place: () -> Place
    ) {
        guard !id.isEmpty else { return }
        switch options.schema {
        case .off, .lenient: break
        // To the letter the check against the schema tells all of them.
        case .strict: return
        }
        guard let first = ids.insert(id, of: element, at: position) else { return }
        log.add(
            .idDuplicate, at: place(),
            "the id \(String(xml: id).prefix(200).debugDescription) stands twice, first on the <\(first.element.rawValue)> of line \(first.position.line)",
            arguments: [.init("id", String(xml: id))],
            related: [
                {
                    var related = Place(first.position)
                    related.elementID = String(xml: id)
                    return related
                }()
            ],
            // A reference says by its element which kind is meant, so that nothing is lost.
            severity: first.element == element ? nil : .warning)
    }
}
