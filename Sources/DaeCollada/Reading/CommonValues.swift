import DaeScene
import DaeSchema
import DaeXML

/// Short lists that one element after the other has just so: equal ones next to each other share their memory.
struct CommonLists {
    /// The inputs of the meshes before, without their sources: those of vertices and of primitives take turns.
    private var inputs = Recent<[ColladaDocument.Input]>()

    /// What the material before bound.
    private var vertexInputs: [MaterialBinding.VertexInput] = []
    /// The sids of the transforms of the node before.
    private var sids: [String?] = []
    /// The list that is being read; its room is used again.
    private var own: [String?] = []

    /// The sids of the values of the techniques before, which exporters name alike.
    private var valueSIDs = Recent<SmallDictionary<String, ColladaDocument.Technique.Slot>>()

    /// The names of the params of the accessors before: those of positions, normals and texture coordinates take turns.
    private var params = Recent<[String?]>()
    /// The names of an accessor's params; `nil` for one that skips a value.
    mutating func params(of accessor: ElementView) -> [String?] { params(accessor.all(.param)) }

    private mutating func params(_ elements: ElementList) -> [String?] {
        if let known = params.first(where: { Self.isList($0, of: elements) }) { return known }
        own.removeAll(keepingCapacity: true)
        for element in elements { own.append(element.attribute(.name).flatMap { $0.isEmpty ? nil : $0 }) }
        let names = own.map { $0 }
        params.add(names)
        return names
    }

    /// Whether the names of params are those, found without a text being made of one.
    private static func isList(_ names: [String?], of elements: ElementList) -> Bool {
        var place = 0
        for element in elements {
            guard place < names.count else { return false }
            if let name = names[place] {
                guard element.says(.name, name) else { return false }
            } else {
                guard element.bytes(of: .name)?.isEmpty ?? true else { return false }
            }
            place += 1
        }
        return place == names.count
    }

    /// Inputs without their sources, which nearly all meshes of a document then have alike.
    mutating func bare(_ given: [ColladaDocument.Input]) -> [ColladaDocument.Input] {
        guard !given.isEmpty else { return [] }
        if let known = inputs.first(where: { Self.isList($0, of: given) }) { return known }
        let bare = given.map(\.bare)
        inputs.add(bare)
        return bare
    }

    private static func isList(_ inputs: [ColladaDocument.Input], of given: [ColladaDocument.Input]) -> Bool {
        inputs.count == given.count
            && inputs.indices.allSatisfy { place in
                inputs[place].offset == given[place].offset && inputs[place].set == given[place].set
                    && inputs[place].semantic == given[place].semantic
            }
    }

    mutating func shared(
        _ sids: SmallDictionary<String, ColladaDocument.Technique.Slot>
    ) -> SmallDictionary<String, ColladaDocument.Technique.Slot> {
        sids.isEmpty ? [:] : valueSIDs.shared(sids)
    }

    mutating func shared(_ inputs: [MaterialBinding.VertexInput]) -> [MaterialBinding.VertexInput] {
        if inputs != vertexInputs { vertexInputs = inputs }
        return vertexInputs
    }

    mutating func beginSIDs() { own.removeAll(keepingCapacity: true) }

    /// Adds the sid of an element, which mostly is that of the node before at this place.
    mutating func addSID(of element: ElementView) {
        if own.count < sids.count, let known = sids[own.count], element.says(.sid, known) {
            own.append(known)
        } else {
            own.append(element.attribute(.sid))
        }
    }

    /// Those that were added; none where all are `nil`.
    mutating func endSIDs() -> [String?] {
        guard own != sids else { return sids }
        guard own.contains(where: { $0 != nil }) else { return [] }
        sids = []
        sids.reserveCapacity(own.count)
        sids.append(contentsOf: own)
        return sids
    }
}

extension ColladaDocument.Input {
    /// What it is, without the source that it reads and its place.
    fileprivate var bare: ColladaDocument.Input {
        .init(semantic: semantic, source: .init(text: "", position: XMLPosition()), offset: offset, set: set)
    }
}

/// The few values that came last, for what elements next to each other have alike.
private struct Recent<Value> {
    private var values: [Value] = []
    /// The oldest, once there are as many as are kept.
    private var oldest = 0
    private static var most: Int { 4 }

    func first(where matches: (Value) -> Bool) -> Value? { values.first(where: matches) }

    mutating func add(_ value: Value) {
        if values.count < Self.most {
            values.append(value)
        } else {
            values[oldest] = value
            oldest = (oldest + 1) % Self.most
        }
    }
}

extension Recent where Value: Equatable {
    /// A value in the memory of an equal one that came before.
    mutating func shared(_ value: Value) -> Value {
        if let known = first(where: { $0 == value }) { return known }
        add(value)
        return value
    }
}

// Ids stand in a document again wherever something refers to them, and a scene may refer to each of its materials from
// many nodes: those that need memory of their own share it where they come again soon.

/// Texts that were met lately, so that one that comes again shares its memory.
struct CommonTexts {
    /// Each at the low bits of its hash, until another one takes its place; a power of two of them.
    private var slots: [Slot] = []
    private var kept = 0
    private let hash = IDHash()
    /// In bytes. Shorter ones need no memory of their own, longer ones seldom come again.
    private static let lengths = 16...256
    /// What is referred to lies mostly near; what lies far is dearer to look at than a new text.
    private static let mostSlots = 1 << 10

    /// With the hash, so that another text is recognised without a look at its memory.
    private struct Slot {
        var hash: UInt64
        var text: String
    }

    /// The text of some UTF-8.
    mutating func text(_ bytes: UnsafeRawBufferPointer) -> String {
        guard Self.lengths.contains(bytes.count) else { return String(xml: bytes) }
        if kept >= slots.count / 2, slots.count < Self.mostSlots {
            // What was met comes in again as it is met again.
            slots = Array(of: max(16, 4 * slots.count), each: Slot(hash: 0, text: ""))
            kept = 0
        }
        let hash = hash(bytes.bytes)
        let slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        if slots[slot].hash == hash {
            // Taken out once: each look at it counts it.
            let known = slots[slot].text
            if bytes.isUTF8(of: known) { return known }
        }
        let text = String(xml: bytes)
        slots[slot] = Slot(hash: hash, text: text)
        kept += 1
        return text
    }
}
