// A scene may have a node for every kilobyte of its document, most with one matrix whose last row says nothing, and a
// document has each of them again. So all that a node is by itself lies in one block, which both share.

/// What a node is by itself, whatever is within it: its names and transforms.
///
/// Unchecked because its block is changed only where nobody else has it; a shared one is copied.
package struct NodeRecord: @unchecked Sendable {
    private var storage: Storage

    private struct Fields {
        var id: String?
        var name: String?
        var sids: Sids
        /// Of the transforms (``TransformNumbers``).
        let count: Int32
        var kind: Node.Kind
        var isHidden = false
    }

    /// One word: few nodes have a sid, and the list of their transforms' is mostly that of the node before.
    private enum Sids: Equatable {
        case ofTransforms([String?])
        indirect case own(String, ofTransforms: [String?])

        init(_ own: String?, ofTransforms list: [String?]) {
            self = own.map { .own($0, ofTransforms: list) } ?? .ofTransforms(list)
        }

        var own: String? {
            switch self {
            case .ofTransforms: nil
            case .own(let sid, ofTransforms: _): sid
            }
        }

        var hasOwn: Bool {
            switch self {
            case .ofTransforms: false
            case .own(let sid, ofTransforms: _): !sid.isEmpty
            }
        }

        var ofTransforms: [String?] {
            switch self {
            case .ofTransforms(let list), .own(_, ofTransforms: let list): list
            }
        }
    }

    private final class Storage: ManagedBuffer<Fields, Double> {
        static func made(_ fields: Fields) -> Storage {
            unsafeDowncast(create(minimumCapacity: Int(fields.count)) { _ in fields }, to: Storage.self)
        }

        var copy: Storage {
            withUnsafeMutablePointers { fields, numbers in
                let copy = Storage.made(fields.pointee)
                copy.withUnsafeMutablePointerToElements {
                    $0.initialize(from: numbers, count: Int(fields.pointee.count))
                }
                return copy
            }
        }
    }

    package init(
        id: String?, name: String?, sid: String?, kind: Node.Kind, transforms: [Transform], transformSIDs: [String?]
    ) {
        let length = TransformNumbers.length(of: transforms)
        storage = .made(
            Fields(
                id: id, name: name, sids: Sids(sid, ofTransforms: transformSIDs),
                // More than fit would need gigabytes for one node.
                count: Int32(length), kind: kind))
        storage.withUnsafeMutablePointerToElements { TransformNumbers.write(transforms, to: $0, length) }
    }

    // MARK: - What it holds

    // Read by the block's address: each look at its header in the other way costs a check of who else is at it.

    package var id: String? {
        get { storage.withUnsafeMutablePointerToHeader { $0.pointee.id } }
        set { change { $0.id = newValue } }
    }

    package var name: String? {
        get { storage.withUnsafeMutablePointerToHeader { $0.pointee.name } }
        set { change { $0.name = newValue } }
    }

    package var sid: String? {
        get { storage.withUnsafeMutablePointerToHeader { $0.pointee.sids.own } }
        set { change { $0.sids = Sids(newValue, ofTransforms: $0.sids.ofTransforms) } }
    }

    /// Whether it has one that is not empty.
    package var hasSID: Bool { storage.withUnsafeMutablePointerToHeader { $0.pointee.sids.hasOwn } }

    package var kind: Node.Kind {
        get { storage.withUnsafeMutablePointerToHeader { $0.pointee.kind } }
        set { change { $0.kind = newValue } }
    }

    /// In their order; empty where none has one.
    package var transformSIDs: [String?] {
        get { storage.withUnsafeMutablePointerToHeader { $0.pointee.sids.ofTransforms } }
        set { change { $0.sids = Sids($0.sids.own, ofTransforms: newValue) } }
    }

    /// How many of its transforms have one that is not empty.
    package var transformSIDCount: Int {
        storage.withUnsafeMutablePointerToHeader { fields in
            switch fields.pointee.sids {
            case .ofTransforms(let list), .own(_, ofTransforms: let list):
                var count = 0
                for index in list.indices where list[index]?.isEmpty == false { count += 1 }
                return count
            }
        }
    }

    package var isHidden: Bool {
        get { storage.withUnsafeMutablePointerToHeader { $0.pointee.isHidden } }
        set { if newValue != isHidden { change { $0.isHidden = newValue } } }
    }

    package var transforms: [Transform] {
        get { withNumbers { TransformNumbers.transforms($0) } }
        set {
            var record = NodeRecord(
                id: id, name: name, sid: sid, kind: kind, transforms: newValue, transformSIDs: transformSIDs)
            record.isHidden = isHidden
            self = record
        }
    }

    package var transformCount: Int { withNumbers { TransformNumbers.count($0) } }

    package func forEachTransform(_ body: (Transform) -> Void) {
        withNumbers { TransformNumbers.forEach($0, body) }
    }

    /// The one matrix that is all its transforms, as most nodes have, with a last row of 0 0 0 1; `nil` with any others.
    package var soleAffineMatrix: Matrix4? { withNumbers { TransformNumbers.soleAffineMatrix($0) } }

    /// Of all transforms, the last one first to a point; those without a direction left out.
    package var matrix: Matrix4 { withNumbers { TransformNumbers.matrix($0) } }

    private func withNumbers<Result>(_ body: (UnsafeBufferPointer<Double>) -> Result) -> Result {
        storage.withUnsafeMutablePointers { fields, numbers in
            body(UnsafeBufferPointer(start: numbers, count: Int(fields.pointee.count)))
        }
    }

    private mutating func change(_ body: (inout Fields) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy }
        body(&storage.header)
    }
}

extension NodeRecord: Equatable {
    /// By the transforms: a matrix whose last row has a −0 is kept otherwise than the same one with a 0.
    package static func == (left: NodeRecord, right: NodeRecord) -> Bool {
        if left.storage === right.storage { return true }
        let (own, other) = (left.storage.header, right.storage.header)
        return own.id == other.id && own.name == other.name && own.kind == other.kind && own.sids == other.sids
            && own.isHidden == other.isHidden && left.transforms == right.transforms
    }
}
