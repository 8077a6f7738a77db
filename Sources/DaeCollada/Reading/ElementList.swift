import DaeSchema

/// The elements within an element, or those of one name among them, in order.
struct ElementList: Sequence {
    let fragment: UnsafeMutablePointer<Fragment>
    let first: Int32
    /// `nil` for all.
    let name: ElementName?

    struct Iterator: IteratorProtocol {
        fileprivate let fragment: UnsafeMutablePointer<Fragment>
        fileprivate var following: Int32
        fileprivate let name: ElementName?

        mutating func next() -> ElementView? {
            while following >= 0 {
                let index = Int(following)
                following = fragment.pointee.records.at(index).pointee.nextSibling
                guard let name else { return ElementView(fragment: fragment, index: index) }
                if case name = fragment.pointee.records.at(index).pointee.entry.name {
                    return ElementView(fragment: fragment, index: index)
                }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(fragment: fragment, following: first, name: name) }

    var isEmpty: Bool {
        var iterator = makeIterator()
        return iterator.next() == nil
    }

    /// How many there are, so that what is made of them needs no room beyond.
    var underestimatedCount: Int {
        var iterator = makeIterator()
        var count = 0
        while iterator.next() != nil { count += 1 }
        return count
    }

    /// Places of those that were decoded, in the document's list of their kind.
    var units: [Int] {
        var units: [Int] = []
        units.reserveCapacity(reduce(0) { $0 + $1.units.count })
        for view in self { units += view.units.lazy.map(Int.init) }
        return units
    }
}
