// A file played back at rest in double precision, apart from all that writes it: nodes, skins and the weights of morphs.

import DaeScene
import TestSupport
import Testing

/// What one primitive of a file looks like where it stands.
struct PosedMesh {
    /// Of the node that shows it.
    let node: String?
    let positions: [SIMD3<Double>]
    /// Not made unit.
    let normals: [SIMD3<Double>]
    let indices: [Int]
    /// Morphed, by their names.
    let others: [String: [[Double]]]

    /// Twice the areas of its triangles, along their sides that are seen.
    var sides: [SIMD3<Double>] {
        stride(from: 0, to: indices.count - 2, by: 3).map { start in
            let (a, b, c) = (
                positions[indices[start]], positions[indices[start + 1]], positions[indices[start + 2]]
            )
            let (u, v) = (b - a, c - a)
            return SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
        }
    }
}

extension Conversion {
    /// All that its file draws, primitive by primitive in the order of the nodes.
    func posed() throws -> [PosedMesh] {
        let checker = checker
        #expect(checker.faults.isEmpty, "\(checker.faults)")
        let file = try #require(checker.file)
        let worlds = file.worlds
        return try file.list("nodes").enumerated().flatMap { index, node -> [PosedMesh] in
            guard let mesh = node["mesh"]?.int.map({ file.list("meshes")[$0] }) else { return [] }
            let weights = node["weights"]?.numbers ?? mesh["weights"]?.numbers ?? []
            let joints = try node["skin"]?.int.map { try file.joints(ofSkin: $0, worlds, checker) }
            return try (mesh["primitives"]?.elements ?? []).map { primitive in
                try PosedMesh(
                    primitive, of: node["name"]?.string, weights: weights, joints: joints, world: worlds[index], checker
                )
            }
        }
    }

    /// The box around all that its file draws.
    func posedBounds() throws -> Bounds {
        let points = try posed().flatMap(\.positions)
        var bounds = Bounds(try #require(points.first))
        for point in points { bounds.formUnion(point) }
        return bounds
    }
}

extension GLTFFile {
    fileprivate func joints(ofSkin index: Int, _ worlds: [Matrix4], _ checker: GLTFChecker) throws -> [Matrix4] {
        let skin = list("skins")[index]
        let binds = try #require(skin["inverseBindMatrices"]?.int.flatMap { checker.accessors[$0] })
        return (skin["joints"]?.elements ?? []).compactMap(\.int).enumerated().map { place, joint in
            let row = Array(binds.row(place))
            func column(_ index: Int) -> SIMD4<Double> { SIMD4(row[index * 4..<index * 4 + 4]) }
            return worlds[joint] * Matrix4(columns: (column(0), column(1), column(2), column(3)))
        }
    }
}

extension PosedMesh {
    fileprivate init(
        _ primitive: JSONNode, of node: String?, weights: [Double], joints: [Matrix4]?, world: Matrix4,
        _ checker: GLTFChecker
    ) throws {
        func rows(_ accessor: JSONNode?) -> [[Double]]? {
            accessor?.int.flatMap { checker.accessors[$0] }.map { accessor in
                (0..<accessor.count).map { Array(accessor.row($0)) }
            }
        }
        let names = Set((primitive["attributes"]?.members ?? [:]).keys)
        let targets = primitive["targets"]?.elements ?? []
        func morphed(_ name: String) -> [[Double]] {
            var values = rows(primitive["attributes"]?[name]) ?? []
            for (target, weight) in zip(targets, weights) {
                guard let differences = rows(target[name]) else { continue }
                for (row, difference) in differences.enumerated() {
                    for lane in difference.indices { values[row][lane] += weight * difference[lane] }
                }
            }
            return values
        }
        let influences = try joints.map { joints in
            let sets = names.filter { $0.hasPrefix("JOINTS_") }.map { String($0.dropFirst(7)) }
            let all = try sets.map { set in
                let numbers = try #require(rows(primitive["attributes"]?["JOINTS_" + set]))
                let weights = try #require(rows(primitive["attributes"]?["WEIGHTS_" + set]))
                return (numbers, weights)
            }
            return { (vertex: Int, matrix: (Matrix4) -> Matrix4, vector: SIMD3<Double>) -> SIMD3<Double> in
                all.reduce(SIMD3.zero) { sum, set in
                    zip(set.0[vertex], set.1[vertex]).reduce(sum) {
                        $0 + matrix(joints[Int($1.0)]).transform(point: vector) * $1.1
                    }
                }
            }
        }
        self.node = node
        positions = morphed("POSITION").enumerated().map { vertex, row in
            influences?(vertex, { $0 }, SIMD3(row)) ?? world.transform(point: SIMD3(row))
        }
        normals = morphed("NORMAL").enumerated().map { vertex, row in
            influences?(vertex, { $0.forNormals }, SIMD3(row)) ?? world.forNormals.transform(point: SIMD3(row))
        }
        others = Dictionary(
            uniqueKeysWithValues: names.filter { $0.hasPrefix("COLOR") || $0.hasPrefix("TEXCOORD") }.map {
                ($0, morphed($0))
            })
        indices = rows(primitive["indices"])?.compactMap { $0.first.map { Int($0) } } ?? Array(positions.indices)
    }
}

extension Matrix4 {
    /// The inverse transposed, without the translation.
    fileprivate var forNormals: Matrix4 {
        guard let back = inverse else { return self }
        return Matrix4(
            columns: (
                [back.columns.0.x, back.columns.1.x, back.columns.2.x, 0],
                [back.columns.0.y, back.columns.1.y, back.columns.2.y, 0],
                [back.columns.0.z, back.columns.1.z, back.columns.2.z, 0], [0, 0, 0, 1]
            ))
    }
}

/// Whether two points are the same but for rounding.
func near(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Bool {
    let away = one - other
    return (away * away).sum() < 1e-9
}
