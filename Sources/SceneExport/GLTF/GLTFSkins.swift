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
    ///   - skin: The nearest of the controller's chain.
    ///   - rig: The instance's joints.
    ///   - place: The node of the tree that holds the instance: vertices that no joint moves stay with it.
    ///   - tree: Where the joints stand; gets nodes for those that stand in one place.
    mutating func skin(
        of controller: SceneIndex<Controller>, _ skin: Skin, _ rig: ExportRig, at place: Int, usesBindShape: Bool,
        _ tree: inout ExportTree, _ buffer: inout GLTFBuffer, _ report: inout FidelityReport
    ) throws(SceneExportError) -> Int {
        let count = min(skin.joints.count, Int(UInt16.max))
        let found = (0..<count).map { index in index < rig.joints.count ? rig.joints[index]?.place : nil }
        let missing = found.count { $0 == nil }
        report.add(.dropped, .joints, count: missing, at: scene.controllers[controller].id)
        let isWhole = missing == 0 && !usesBindShape
        var accessor = isWhole ? matrices[controller.value] : nil
        if accessor == nil {
            var numbers: [Float] = []
            numbers.reserveCapacity(found.count * 16)
            let base = scene.controllers[controller].base
            let origin = Matrix4(translation: base.flatMap { scene.farOrigin(of: $0, controller) } ?? .zero)
            for (index, joint) in found.enumerated() {
                let matrix = joint != nil && index < skin.inverseBinds.count ? skin.inverseBinds[index] : .identity
                numbers += (matrix * origin).columnNumbers
            }
            if usesBindShape || found.isEmpty { numbers += origin.columnNumbers }
            accessor = try buffer.add(numbers, width: 16, target: nil, needsBounds: false)
            if isWhole { matrices[controller.value] = accessor }
        }
        let joints = found.map { $0 ?? place } + (usesBindShape || found.isEmpty ? [place] : [])
        let distinct = try tree.distinct(joints)
        return list.add(
            JSONObject { object in
                if let name = scene.controllers[controller].name ?? scene.controllers[controller].id {
                    object.put("name", name)
                }
                if let accessor { object.put("inverseBindMatrices", accessor) }
                object.put("joints", distinct)
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
