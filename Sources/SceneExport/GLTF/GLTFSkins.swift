import SceneModel

/// Writes skins: the joints of one instance, and the matrices that take a mesh into the space of each.
struct GLTFSkins {
    private(set) var list: JSONList
    private let scene: Scene
    /// Matrices of skins whose joints were all found, by controller.
    private var matrices: [Int: Int] = [:]

    init(_ scene: Scene, _ spool: TextSpool) {
        list = JSONList(spool)
        self.scene = scene
    }

    /// - Parameters:
    ///   - place: The node of the tree that holds the instance: vertices that no joint moves stay with it.
    ///   - places: Where the scene's nodes stand in the tree.
    mutating func skin(
        of controller: SceneIndex<Controller>, _ skeleton: Skeleton, at place: Int, usesBindShape: Bool,
        places: NodePlaces, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int? {
        guard let skin = scene.skin(of: controller) else { return nil }
        let count = min(skin.joints.count, Int(UInt16.max))
        var joints: [Int] = []
        var missing = 0
        for index in 0..<count {
            let node = index < skeleton.joints.count ? skeleton.joints[index] : nil
            if let node, let first = places.first(of: node) {
                joints.append(first)
            } else {
                missing += 1
                joints.append(-1)
            }
        }
        report.add(.dropped, .joints, count: missing, at: scene.controllers[controller].id)
        let isWhole = missing == 0 && !usesBindShape
        var accessor = isWhole ? matrices[controller.value] : nil
        if accessor == nil {
            var numbers: [Float] = []
            numbers.reserveCapacity(joints.count * 16)
            for (index, joint) in joints.enumerated() {
                let matrix =
                    joint >= 0 && index < skin.inverseBinds.count ? skin.inverseBinds[index] : .identity
                numbers += matrix.columnNumbers
            }
            if usesBindShape || joints.isEmpty { numbers += Matrix4.identity.columnNumbers }
            accessor = try buffer.add(numbers, width: 16, target: nil, needsBounds: false)
            if isWhole { matrices[controller.value] = accessor }
        }
        if usesBindShape || joints.isEmpty { joints.append(place) }
        return list.add(
            JSONObject { object in
                if let name = scene.controllers[controller].name ?? scene.controllers[controller].id {
                    object.put("name", name)
                }
                if let accessor { object.put("inverseBindMatrices", accessor) }
                object.put("joints", joints.map { $0 < 0 ? place : $0 })
            })
    }
}

extension Matrix4 {
    /// Column by column, with a last row of 0 0 0 1.
    var columnNumbers: [Float] {
        [columns.0, columns.1, columns.2, columns.3].enumerated().flatMap { index, column in
            [Float(column.x), Float(column.y), Float(column.z), index == 3 ? 1 : 0]
        }
    }
}
