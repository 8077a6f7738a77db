package import DaeDiagnostics
import DaeMesh
import DaeScene

/// What two models have in common and what not: for whoever reviews an export that was made again.
///
/// Elements are matched by their ids, names where they have none, and order among equal ones. Numbers are equal within
/// a millionth: another program, or another run of it, rounds otherwise. When a document was written does not count, nor
/// by which rule a file was found.
package struct ModelComparison: Sendable, Equatable {
    /// What a difference is of, in the order in which they are told.
    package enum Part: String, Sendable, CaseIterable {
        case document, scene, counts, nodes, geometries, controllers, materials, images, animations, animationClips
        case cameras, lights

        /// One of its elements; `nil` for a part that is not a list.
        package var element: String? {
            switch self {
            case .document, .scene, .counts: nil
            case .nodes: "node"
            case .geometries: "geometry"
            case .controllers: "controller"
            case .materials: "material"
            case .images: "image"
            case .animations: "animation"
            case .animationClips: "animation clip"
            case .cameras: "camera"
            case .lights: "light"
            }
        }

        /// Members of its rows that say how a file was found or read, or follow from others.
        fileprivate var passedOver: Set<String> {
            switch self {
            case .document: ["bytes", "created", "modified", "encoding"]
            case .images: ["confidence", "gpuBytes", "outside", "path", "rule"]
            case .nodes, .scene, .counts, .geometries, .controllers, .materials, .animations, .animationClips, .cameras,
                .lights:
                []
            }
        }
    }

    package enum Change: Sendable, Equatable {
        /// Only the first model has it.
        case removed
        /// Only the second one has it.
        case added
        /// Both have it, with other values; `null` where one has none.
        case changed(property: String, from: JSONValue, to: JSONValue)
    }

    package struct Difference: Sendable, Equatable {
        package let part: Part
        /// By its id or name; `nil` where the part is not a list.
        package let item: String?
        package let change: Change
    }

    package private(set) var differences: [Difference] = []

    package init(_ first: Model, _ second: Model) {
        let (one, other) = (first.inspection.json, second.inspection.json)
        for part in Part.allCases {
            switch part {
            case .document, .scene, .counts: compare(one[part.rawValue], other[part.rawValue], part, item: nil)
            case .nodes: compare(NodeRows(first.scene).rows, NodeRows(second.scene).rows, part)
            case .geometries, .controllers, .materials, .images, .animations, .animationClips, .cameras, .lights:
                compare(one[part.rawValue].elements, other[part.rawValue].elements, part)
            }
        }
    }

    /// Two lists of rows, matched by their names.
    private mutating func compare(_ first: [JSONValue], _ second: [JSONValue], _ part: Part) {
        let (names, otherNames) = (Self.names(of: first), Self.names(of: second))
        let places = Dictionary(uniqueKeysWithValues: zip(otherNames, second.indices))
        for (name, row) in zip(names, first) {
            if let place = places[name] {
                compare(row, second[place], part, item: name)
            } else {
                differences.append(Difference(part: part, item: name, change: .removed))
            }
        }
        let known = Set(names)
        for name in otherNames where !known.contains(name) {
            differences.append(Difference(part: part, item: name, change: .added))
        }
    }

    /// A name for each row, unlike all others: those that come again are numbered.
    private static func names(of rows: [JSONValue]) -> [String] {
        var counts: [String: Int] = [:]
        var taken: Set<String> = []
        return rows.map { row in
            let name = row["id"].text ?? row["name"].text ?? row["reference"].text ?? "unnamed"
            var count = counts[name, default: 0] + 1
            var unlike = count == 1 ? name : "\(name) (\(count))"
            while !taken.insert(unlike).inserted {
                count += 1
                unlike = "\(name) (\(count))"
            }
            counts[name] = count
            return unlike
        }
    }

    private mutating func compare(
        _ first: JSONValue, _ second: JSONValue, _ part: Part, item: String?, within path: String = ""
    ) {
        // Rows are our own, and nest by two levels.
        guard case .object(let members) = first, case .object(let others) = second else {
            if !first.isClose(to: second) {
                let change = Change.changed(property: path, from: first, to: second)
                differences.append(Difference(part: part, item: item, change: change))
            }
            return
        }
        for key in Set(members.keys).union(others.keys).subtracting(path.isEmpty ? part.passedOver : []).sorted() {
            compare(
                members[key] ?? .null, others[key] ?? .null, part, item: item,
                within: path.isEmpty ? key : "\(path).\(key)")
        }
    }
}

/// The nodes of a visual scene, each once however often it is instanced.
private struct NodeRows {
    private(set) var rows: [JSONValue] = []
    private let scene: Scene

    init(_ scene: Scene) {
        self.scene = scene
        var seen: Set<SceneIndex<Node>> = []
        var stack = scene.roots.reversed().map { (node: $0, parent: String?.none) }
        while let (index, parent) = stack.popLast() {
            guard seen.insert(index).inserted else { continue }
            let node = scene.nodes[index]
            rows.append(row(of: node, parent))
            stack += node.children.reversed().map { ($0, Self.name(of: node)) }
        }
    }

    private static func name(of node: Node) -> String { node.id ?? node.name ?? node.sid ?? "unnamed" }

    private func row(of node: Node, _ parent: String?) -> JSONValue {
        let matrix = node.matrix.columns
        // Row by row, as documents have it.
        let numbers = (0..<4).flatMap { row in [matrix.0, matrix.1, matrix.2, matrix.3].map { $0[row] } }
        return [
            "id": JSONValue(Self.name(of: node)), "name": JSONValue(node.name), "kind": JSONValue(node.kind.rawValue),
            "parent": JSONValue(parent), "matrix": .array(numbers.map { .real($0) }),
            "instances": .array(node.instances.map(row)),
        ]
    }

    private func row(of instance: Instance) -> JSONValue {
        func row(_ kind: String, _ id: String?, _ bindings: [MaterialBinding] = []) -> JSONValue {
            let materials = bindings.map { $0.material.flatMap { scene.materials[$0].id } ?? $0.symbol }
            return .string(([kind, id ?? "unnamed"] + materials).joined(separator: " "))
        }
        return switch instance {
        case .geometry(let index, let bindings): row("geometry", scene.geometries[index].id, bindings)
        case .controller(let index, skeleton: _, let bindings): row("controller", scene.controllers[index].id, bindings)
        case .camera(let index): row("camera", scene.cameras[index].id)
        case .light(let index): row("light", scene.lights[index].id)
        }
    }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue {
        guard case .object(let members) = self else { return .null }
        return members[key] ?? .null
    }

    fileprivate var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    private var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// Whether two values are equal, numbers within a millionth of the greatest beside them.
    fileprivate func isClose(to other: JSONValue) -> Bool {
        if self == other { return true }
        if let number, let otherNumber = other.number {
            return Self.areClose(number, otherNumber, among: max(abs(number), abs(otherNumber)))
        }
        guard case .array(let values) = self, case .array(let others) = other, values.count == others.count else {
            return false
        }
        let numbers = (values + others).compactMap(\.number)
        guard numbers.count == 2 * values.count else { return false }
        let greatest = numbers.reduce(0) { max($0, abs($1)) }
        return zip(numbers, numbers.dropFirst(values.count)).allSatisfy { Self.areClose($0, $1, among: greatest) }
    }

    private static func areClose(_ one: Double, _ other: Double, among greatest: Double) -> Bool {
        abs(one - other) <= greatest * 1e-6
    }
}

extension ModelComparison {
    /// As `dae diff --format json` has it.
    package var json: JSONValue { .array(differences.map(\.json)) }
}

extension ModelComparison.Difference {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["part": .string(part.rawValue), "item": JSONValue(item)]
        switch change {
        case .removed: members["change"] = "removed"
        case .added: members["change"] = "added"
        case .changed(let property, let from, let to):
            members["change"] = "changed"
            members["property"] = .string(property)
            members["first"] = from
            members["second"] = to
        }
        return .object(members)
    }
}
