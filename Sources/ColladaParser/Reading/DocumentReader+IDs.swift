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
            "the id \(id.quoted()) stands twice, first on the <\(first.element.rawValue)> of line \(first.position.line)",
            arguments: [.init("id", id)], related: [related],
            // A reference says by its element which kind is meant, so that nothing is lost.
            severity: first.element == element ? nil : .info)
    }

    /// Of an element that is not read; where it is in the tree is not known.
    func noteID(of element: ElementName, _ attributes: XMLAttributes, at position: XMLPosition) {
        for index in 0..<attributes.count
        where attributes.number(at: index).flatMap({ vocabulary.attribute($0) }) == .id {
            let id = attributes.value(at: index)
            guard notesIDs, !id.isEmpty else { return }
            if !newIDs.isEmpty { noteNewIDs() }
            note(ids.expect(id), of: element, at: position) {
                var place = Place(position)
                place.elementID = String(xml: id)
                return place
            }
        }
    }

    // MARK: - Waiting

    /// Whether those ids may wait, and there is room for another.
    var mayWait: Bool {
        guard keepsIDsWaiting, !newIDs.isFull, case .read = passage else { return false }
        return !isInProfile
    }

    /// Notes the ids of elements that begin before a byte; the others go on waiting.
    @inline(never)
    func noteNewIDs(before byte: Int64 = .max) {
        let waiting = newIDs
        newIDs.removeAll()
        waiting.forEach { element in
            let view = ElementView(fragment: fragment, index: element.record)
            if view.position.byte < byte {
                note(element.hash, of: view.name, at: view.position) { view.place }
            } else {
                newIDs.add(element)
            }
        }
    }

    /// Adds what the check against the schema has found about the element that begins at `byte`, behind what is to be
    /// told of the ids before it.
    func tell(_ code: FindingCode, ofElementAt byte: Int64, severity: Severity, _ finding: () -> Finding) {
        if !newIDs.isEmpty { noteNewIDs(before: byte) }
        log.tell(code, ofElementAt: byte, severity: severity, finding)
    }
}
