import TestSupport
import Testing
import XMLReader

@testable import ColladaParser

@Suite struct TextPiecesTests {
    @Test func everyTextComesBackWhateverItsLength() {
        let pieces = TextPieces()
        var numbers = SeededNumbers(seed: 5)
        // Within one piece, over several of them, and with pieces of their own.
        let lengths = [0, 1, 1023, 1024, 1025, 70_000] + (0..<4000).map { _ in Int(numbers.next() % 1100) }
        let texts = lengths.map { length in (0..<length).map { _ in UInt8(truncatingIfNeeded: numbers.next()) } }
        let places = texts.map { text in text.withUnsafeBytes { pieces.append($0) } }
        for (place, text) in zip(places, texts) { #expect(pieces[place].elementsEqual(text)) }
    }

    @Test func aPlaceIsOneWord() { #expect(MemoryLayout<TextPieces.Place>.size == 8) }

    @Test(arguments: ["a", "", "ä", String(repeating: "x", count: 3000)])
    func aReferenceThatIsPutByAsItLiesIsTheSame(_ id: String) throws {
        let store = ContentStore()
        let position = XMLPosition(line: 7, column: 9, byte: 11)
        id.utf8CString.withUnsafeBytes { bytes in
            let text = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
            store.append(.camera, .local(text, position), materialsFrom: 0)
        }
        guard case .instanceCamera(let kept) = store.content(at: 0) else {
            Issue.record("the content is of another kind")
            return
        }
        #expect(kept == ColladaDocument.Reference(text: "#" + id, position: position))
    }

    /// Of each form that a reference has, and longer than a piece.
    @Test(arguments: ["#a", "a", "other.dae#a", "", "#", "#ä", "#" + String(repeating: "x", count: 3000)])
    func aContentsReferenceIsAsItWasWritten(_ text: String) throws {
        let store = ContentStore()
        let position = XMLPosition(line: 7, column: 9, byte: 11)
        let reference = ColladaDocument.Reference(text: text, position: position)
        store.append(.camera, .other(reference), materialsFrom: 0)
        store.append(.light, .other(.absent(at: position)), materialsFrom: 0)
        store.append(.any, .other(reference.refusedWithoutHash), materialsFrom: 0)
        guard case .instanceCamera(let kept) = store.content(at: 0),
            case .instanceLight(let absent) = store.content(at: 1),
            case .instance(let refused) = store.content(at: 2)
        else {
            Issue.record("the contents are of other kinds")
            return
        }
        #expect(kept == reference)
        #expect(absent == .absent(at: position))
        #expect(refused == reference.refusedWithoutHash)
    }
}
