// The elements of kinematics that addresses lead to, as a tree whose instances lead on to what they instance.

import DaeScene
import DaeXML

struct KinematicSids {
    enum Entity {
        case scene, model(Int), system(Int)
        case joint(JointReference)
        /// In the document; it belongs to the joints of models that instance it.
        case sharedJoint(Int)
        case axis(Int)
        case link(LinkReference)
        case formula(Int)
        case axisInfo(system: Int, place: Int)
        case parameter(ColladaDocument.ParameterValue)
        /// - Parameter place: Among the instances of a kinematics scene; `nil` within a system.
        case instance(model: Int?, system: Int?, place: Int?)
    }
    private struct Element {
        let entity: Entity
        /// Its number; -1 without.
        let sid: Int
        let parent: Int?
        /// Where it is written, of elements that may have an asset around them; the rest is where its parent is.
        let position: XMLPosition?
        /// Whose ids count in addresses that are seen from here.
        let document: Int
        var children: [Int] = []
        /// What an instance leads on to.
        let instanced: Int?
    }
    private struct Name: Hashable {
        let document: Int?
        let id: String
    }
    /// What an address leads to, and what was passed on the way there.
    struct Found {
        let element: Int
        var joint: JointReference?
        /// Among the instances of a kinematics scene.
        var instance: Int?
    }

    private var elements: [Element] = []
    /// By id in each document, and by the id alone where a document has no such one: an address cannot name another.
    private var byID: [Name: Int] = [:]
    /// Of the sids, each once: what a table is made of is sooner told apart by numbers than by texts.
    private var sidNumbers: [String: Int] = [:]
    /// What each sid leads to below an element, by the sids' numbers.
    private var tables: [Int: [Int: Found]] = [:]
    /// By element, the last table for which it was met.
    private var met: [Int] = []
    /// What each parameter that names something leads to: parameters that name parameters several times over would
    /// else be followed more often than there are bytes.
    private var followed: [Int: Found?] = [:]
    /// Elements passed so far: a bound on documents that make every address search everything.
    private(set) var work: WorkBudget
    /// Parameters that lead to parameters, at most.
    private static let hopLimit = 32

    init(stepLimit: Int) { work = WorkBudget(stepLimit) }

    // MARK: - Building

    /// - Parameters:
    ///   - document: Which of several it stands in; below another element that one's.
    ///   - instanced: What an instance leads on to.
    @discardableResult
    mutating func add(
        _ entity: Entity, id: String? = nil, sid: String? = nil, in document: Int? = nil, below parent: Int? = nil,
        instanced: Int? = nil, at position: XMLPosition? = nil
    ) -> Int {
        let index = elements.count
        let document = parent.map { elements[$0].document } ?? document ?? position?.document ?? 0
        elements.append(
            Element(
                entity: entity, sid: sid.map { number(of: $0) } ?? -1, parent: parent, position: position,
                document: document, instanced: instanced))
        met.append(-1)
        if let parent { elements[parent].children.append(index) }
        if let id {
            for name in [Name(document: document, id: id), Name(document: nil, id: id)] where byID[name] == nil {
                byID[name] = index
            }
        }
        return index
    }

    /// Parameters below an element. What an instance sets stands before what is declared: it is nearer, and the first of a
    /// name is found.
    mutating func add(
        _ declared: [ColladaDocument.NewParameter], _ set: [ColladaDocument.SetParameter], below element: Int
    ) {
        for parameter in set { add(.parameter(parameter.value), sid: parameter.reference.text, below: element) }
        for parameter in declared { add(.parameter(parameter.value), sid: parameter.sid, below: element) }
    }

    private mutating func number(of sid: String) -> Int {
        if let known = sidNumbers[sid] { return known }
        let number = sidNumbers.count
        sidNumbers[sid] = number
        return number
    }

    private func element(id: String, seenFrom scope: Int) -> Found? {
        let index = byID[Name(document: elements[scope].document, id: id)] ?? byID[Name(document: nil, id: id)]
        return index.map { Found(element: $0) }
    }

    func entity(_ found: Found) -> Entity { elements[found.element].entity }

    /// Where an element is written; `nil` where the elements around it do not say.
    func position(of element: Int) -> XMLPosition? {
        var next: Int? = element
        while let here = next {
            if let position = elements[here].position { return position }
            next = elements[here].parent
        }
        return nil
    }

    // MARK: - Addresses

    /// What an address of an id and sids leads to, or the name of a parameter, seen from an element.
    ///
    /// - Parameter hops: Parameters that led to it, one after the other.
    /// - Source: COLLADA 1.5.0, chapter 3, "Address Syntax".
    mutating func resolve(_ text: String, from scope: Int, hops: Int = 0) -> Found? {
        guard hops < Self.hopLimit else { return nil }
        let parts = Self.parts(of: text)
        guard let first = parts.first, !first.isEmpty else { return nil }
        // A name alone is a parameter's or a sid; with sids behind it, it is an id.
        var start: Found?
        if first == "." {
            start = Found(element: scope)
        } else if parts.count == 1 {
            start = seen(first, from: scope) ?? element(id: first, seenFrom: scope)
        } else {
            start = element(id: first, seenFrom: scope) ?? seen(first, from: scope)
        }
        guard var here = start.flatMap({ follow($0, hops: hops) }) else { return nil }
        for sid in parts.dropFirst() {
            guard let next = find(sid, below: here).flatMap({ follow($0, hops: hops) }) else { return nil }
            here = next
        }
        return here
    }

    /// Whether a name, or an address of sids, is that of an element; where a parameter leads does not matter.
    mutating func isNamed(_ text: String, from scope: Int) -> Bool {
        let text = text.utf8
        guard let slash = text.lastIndex(of: UInt8(ascii: "/")) else { return seen(String(text), from: scope) != nil }
        guard let start = resolve(String(decoding: text[..<slash], as: UTF8.self), from: scope) else { return false }
        return find(String(decoding: text[slash...].dropFirst(), as: UTF8.self), below: start) != nil
    }

    /// Of an address, an id or the name of a parameter and sids; the first may be empty, as each other.
    private static func parts(of text: String) -> [String] {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }) else { return [text] }
        let address = text.utf8.first == UInt8(ascii: "#") ? text.utf8.dropFirst() : text.utf8[...]
        return address.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// A sid below an element or one of those around it, the nearest first.
    private mutating func seen(_ sid: String, from scope: Int) -> Found? {
        guard let sid = sidNumbers[sid] else { return nil }
        var here: Int? = scope
        while let element = here {
            if let found = find(sid, below: Found(element: element)) { return found }
            here = elements[element].parent
        }
        return nil
    }

    /// Leads a parameter that names something on to that; what was passed is kept.
    private mutating func follow(_ found: Found, hops: Int) -> Found? {
        guard case .parameter(let value) = entity(found) else { return found }
        if followed[found.element] == nil {
            // One that is met again on its own way leads nowhere.
            followed[found.element] = .some(nil)
            followed[found.element] = .some(destination(of: value, at: found.element, hops: hops))
        }
        guard var target = followed[found.element] ?? nil else { return nil }
        target.joint = target.joint ?? found.joint
        target.instance = target.instance ?? found.instance
        return target
    }

    /// - Returns: The parameter itself where it has a value of its own.
    private mutating func destination(
        of value: ColladaDocument.ParameterValue, at parameter: Int, hops: Int
    ) -> Found? {
        let name: String
        switch value {
        case .sidref(let reference), .connected(let reference): name = reference.text
        case .real, .integer, .bool, .empty: return Found(element: parameter)
        }
        guard let scope = elements[parameter].parent else { return nil }
        return resolve(name, from: scope, hops: hops + 1)
    }

    private mutating func find(_ sid: String, below root: Found) -> Found? {
        sidNumbers[sid].flatMap { find($0, below: root) }
    }

    /// - Parameter sid: Its number.
    private mutating func find(_ sid: Int, below root: Found) -> Found? {
        if tables[root.element] == nil { tables[root.element] = table(below: root.element) }
        guard var found = tables[root.element]?[sid] else { return nil }
        found.joint = found.joint ?? root.joint
        found.instance = found.instance ?? root.instance
        return found
    }

    /// Every sid below an element, breadth first: the nearest of each.
    private mutating func table(below root: Int) -> [Int: Found] {
        var table: [Int: Found] = [:]
        // Each element's is made once, and is named by it.
        met[root] = root
        var queue = [passing(Found(element: root))]
        var next = 0
        while next < queue.count, work.mayGoOn() {
            let here = queue[next]
            next += 1
            work.count(1)
            // By index: what is taken out of a list would be copied, with all it holds.
            let sid = elements[here.element].sid
            if here.element != root, sid >= 0, table[sid] == nil { table[sid] = here }
            appendChildren(of: here.element, below: root, from: here, to: &queue)
            if let instanced = elements[here.element].instanced {
                appendChildren(of: instanced, below: root, from: here, to: &queue)
            }
        }
        return table
    }

    /// Those that were not met before for this root.
    private mutating func appendChildren(of parent: Int, below root: Int, from here: Found, to queue: inout [Found]) {
        for place in elements[parent].children.indices {
            let child = elements[parent].children[place]
            guard met[child] != root else { continue }
            met[child] = root
            queue.append(passing(Found(element: child, joint: here.joint, instance: here.instance)))
        }
    }

    /// With what is passed by coming here.
    private func passing(_ found: Found) -> Found {
        var found = found
        switch entity(found) {
        case .joint(let joint): found.joint = joint
        case .instance(model: _, system: _, place: let place?): found.instance = place
        case .instance(model: _, system: _, place: nil), .scene, .model, .system, .sharedJoint, .axis, .link, .formula,
            .axisInfo, .parameter:
            break
        }
        return found
    }
}
