import Testing

@testable import DaeCollada

@Suite struct HashSlotsTests {
    /// A list whose hashes are all at one slot, or differ only in what a slot does not hold.
    @Test(arguments: [1, 1 << 16, 1 << 32, 1 << 48] as [UInt64])
    func eachPlaceIsFoundByItsHash(_ step: UInt64) {
        var slots = HashSlots()
        var hashes: [UInt64] = []
        for index in 0..<2000 {
            let hash = UInt64(index) &* step
            let before = slots.place(of: hash) { hashes[$0] == hash }
            #expect(before == nil)
            let hasRoom = slots.hasRoom(for: hashes.count + 1) || slots.makeRoom(for: hashes.count + 1, hashes)
            #expect(hasRoom)
            slots.put(hashes.count, hash)
            hashes.append(hash)
        }
        for (place, hash) in hashes.enumerated() {
            let found = slots.place(of: hash) { hashes[$0] == hash }
            #expect(found == place)
        }
    }

    @Test func moreThanAnyDocumentHasIsRefused() {
        var slots = HashSlots()
        let hasRoom = slots.makeRoom(for: 1 << 31, [] as [UInt64])
        #expect(!hasRoom)
        let found = slots.place(of: 0) { _ in true }
        #expect(found == nil)
    }
}

@Suite struct IDListTests {
    @Test func idsAreFoundWhicheverLettersTheyHave() {
        var list = IDList()
        list.append(["mesh-positions", "caf\u{E9}", "longer-than-eight-letters"])
        var other = IDList()
        other.append(["of-another"])
        list.append(other)
        let members = list.members
        for id in ["mesh-positions", "cafe\u{301}", "longer-than-eight-letters", "of-another"] {
            #expect(members.contains(id))
        }
        for id in ["", "mesh", "mesh-position", "cafe", "longer-than-eight-letterz"] { #expect(!members.contains(id)) }
        list.append([""])
        #expect(list.members.contains(""))
    }
}
