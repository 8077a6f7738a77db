import DaeSchema
import Testing

@testable import DaeCollada

@Suite struct LibraryKindTests {
    @Test(arguments: LibraryKind.allCases)
    func aKindAndWhatHoldsItAreElements(kind: LibraryKind) {
        #expect(ElementName(rawValue: kind.element) != nil)
        #expect(ElementName(rawValue: kind.library) != nil)
    }

    @Test(arguments: [0, 1, 7, Int(Int32.max), Int(UInt32.max)])
    func everyTargetComesOutAsItWentIn(place: Int) {
        let targets = LibraryKind.allCases.map { ReferenceTable.Target($0, place) }
        #expect(Set(targets).count == LibraryKind.allCases.count)
        #expect(targets.map(\.kind) == LibraryKind.allCases && targets.allSatisfy { $0.index == place })
        #expect(targets.filter { $0.index(of: .node) == place }.count == 1)
        #expect(MemoryLayout<ReferenceTable.Target>.stride == 8)
    }
}
