import TestSupport

/// Holds a `.glb` against the rules of glTF 2.0.
struct GLTFChecker {
    private(set) var faults: [(fault: GLTFFault, text: String)] = []
    private(set) var file: GLTFFile?
    private(set) var accessors: [GLTFAccessor?] = []
    /// What each view was used for.
    private var viewTargets: [Int: Int] = [:]
    private var usedAccessors: Set<Int> = []
    private var usedViews: Set<Int> = []

    init(_ bytes: [UInt8]) {
        var met: [(GLTFFault, String)] = []
        file = GLTFFile(glb: bytes) { met.append(($0, $1)) }
        faults = met.map { (fault: $0.0, text: $0.1) }
        guard let file else { return }
        checkText(file)
        accessors = file.list("accessors").indices.map { read($0, file) }
        checkMeshes(file)
        checkNodes(file)
        checkSkins(file)
        checkAnimations(file)
        checkOptics(file)
        checkImages(file)
        checkUse(file)
    }

    var names: Set<String> { Set(faults.map(\.fault.rawValue)) }

    private mutating func found(_ fault: GLTFFault, _ text: @autoclosure () -> String = "") {
        // A broken file may have millions.
        if faults.count < 200 { faults.append((fault, text())) }
    }

    private mutating func refer(_ index: Int?, in list: String, _ file: GLTFFile, from place: String) -> Bool {
        guard let index else { return false }
        if file.list(list).indices.contains(index) { return true }
        found(.unresolvedReference, "\(place): \(list)[\(index)]")
        return false
    }

    private func accessor(_ index: Int?) -> GLTFAccessor? {
        index.flatMap { accessors.indices.contains($0) ? accessors[$0] : nil }
    }

    // MARK: - Text

    private mutating func checkText(_ file: GLTFFile) {
        if file.root["asset"]?["version"]?.string == nil { found(.undefinedProperty, "asset.version") }
        if file.root["asset"]?["version"]?.string?.hasPrefix("2.") == false { found(.unknownMajorVersion) }
        for (key, value) in file.root.members {
            if case .array(let elements) = value, elements.isEmpty { found(.emptyEntity, key) }
        }
        let declared = Set(file.list("extensionsUsed").compactMap(\.string))
        var used = Set<String>()
        var stack = [file.root]
        while let node = stack.popLast() {
            for (key, value) in node.members {
                if key == "extensions" { used.formUnion(value.members.keys) }
                stack.append(value)
            }
            stack += node.elements
        }
        for name in used where !declared.contains(name) { found(.undeclaredExtension, name) }
        // It has no object of its own: formats of attributes are what it allows.
        used.insert("KHR_mesh_quantization")
        for name in declared where !used.contains(name) { found(.unusedExtension, name) }
        let lengths = file.list("buffers").map { $0["byteLength"]?.int ?? 0 }
        let length = lengths.first ?? 0
        if length + 3 < file.binary.count { found(.bufferTooBig, "\(length) of \(file.binary.count)") }
        for (index, view) in file.list("bufferViews").enumerated() {
            let end = (view["byteOffset"]?.int ?? 0) + (view["byteLength"]?.int ?? 0)
            let buffer = view["buffer"]?.int ?? 0
            let isThere = buffer == 0 ? end <= file.binary.count : file.views[index]?.count == view["byteLength"]?.int
            if !lengths.indices.contains(buffer) || end > lengths[buffer] || !isThere {
                found(.bufferViewTooLong, "bufferViews[\(index)]")
            }
            if let target = view["target"]?.int, target != 34962, target != 34963 {
                found(.valueNotInList, "bufferViews[\(index)].target")
            }
            if view["byteLength"]?.int ?? 0 < 1 { found(.valueNotInRange, "bufferViews[\(index)].byteLength") }
        }
    }

    // MARK: - Accessors

    private mutating func read(_ index: Int, _ file: GLTFFile) -> GLTFAccessor? {
        let node = file.list("accessors")[index]
        let place = "accessors[\(index)]"
        guard let type = node["type"]?.string, let component = node["componentType"]?.int,
            let count = node["count"]?.int
        else {
            found(.undefinedProperty, place)
            return nil
        }
        guard let width = GLTFAccessor.widths[type], let size = GLTFAccessor.sizes[component] else {
            found(.valueNotInList, place)
            return nil
        }
        if count < 1 { found(.valueNotInRange, "\(place).count") }
        guard refer(node["bufferView"]?.int, in: "bufferViews", file, from: place),
            let viewIndex = node["bufferView"]?.int
        else { return nil }
        let view = file.list("bufferViews")[viewIndex]
        usedViews.insert(viewIndex)
        let offset = node["byteOffset"]?.int ?? 0
        let start = (view["byteOffset"]?.int ?? 0) + offset
        let step = view["byteStride"]?.int ?? width * size
        if offset % size != 0 { found(.accessorOffsetAlignment, place) }
        if start % size != 0 { found(.accessorTotalOffsetAlignment, place) }
        if step < width * size || view["byteStride"] != nil && !(4...252).contains(step) || step % size != 0 {
            found(.valueNotInRange, "bufferViews[\(viewIndex)].byteStride")
        }
        guard let bytes = file.views[viewIndex], offset + (count - 1) * step + width * size <= bytes.count else {
            found(.accessorTooLong, place)
            return nil
        }
        var values = [Double](repeating: 0, count: count * width)
        for place in values.indices {
            values[place] = Self.number(bytes, offset + place / width * step + place % width * size, component)
        }
        if component == 5126, let wrong = values.firstIndex(where: { !$0.isFinite }) {
            found(.accessorInvalidFloat, "\(place)[\(wrong)]")
        }
        let bounds = (node["min"]?.numbers, node["max"]?.numbers)
        if let least = bounds.0 { check(least, .accessorMinMismatch, values, width, place) { $0 < $1 } }
        if let most = bounds.1 { check(most, .accessorMaxMismatch, values, width, place) { $0 > $1 } }
        let isNormalized = node["normalized"] == .bool(true)
        if isNormalized {
            let most: Double = [5120: 127, 5121: 255, 5122: 32_767, 5123: 65_535][component] ?? 1
            values = values.map { max($0 / most, -1) }
        }
        return GLTFAccessor(
            values: values, width: width, component: component, count: count, view: viewIndex,
            hasBounds: bounds.0 != nil && bounds.1 != nil, isNormalized: isNormalized)
    }

    private mutating func check(
        _ bound: [Double], _ fault: GLTFFault, _ values: [Double], _ width: Int, _ place: String,
        _ isBeyond: (Double, Double) -> Bool
    ) {
        guard bound.count == width else { return found(.arrayLengthNotInList, place) }
        for lane in 0..<width {
            var extreme = values.isEmpty ? 0 : values[lane]
            for at in stride(from: lane, to: values.count, by: width) where isBeyond(values[at], extreme) {
                extreme = values[at]
            }
            if extreme != bound[lane] { found(fault, "\(place)[\(lane)]: \(bound[lane]), is \(extreme)") }
        }
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ component: Int) -> Double {
        func word(_ size: Int) -> UInt32 { (0..<size).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) } }
        switch component {
        case 5120: return Double(Int8(bitPattern: bytes[at]))
        case 5121: return Double(bytes[at])
        case 5122: return Double(Int16(bitPattern: UInt16(word(2))))
        case 5123: return Double(word(2))
        case 5125: return Double(word(4))
        default: return Double(Float(bitPattern: word(4)))
        }
    }

    private mutating func use(_ index: Int?, as target: Int?, _ place: String) {
        guard let index, let accessor = accessor(index) else { return }
        usedAccessors.insert(index)
        guard let target else { return }
        if let other = viewTargets[accessor.view], other != target { found(.bufferViewTargetOverride, place) }
        viewTargets[accessor.view] = target
        let declared = file?.list("bufferViews")[accessor.view]["target"]?.int
        if declared == nil { found(.bufferViewTargetMissing, place) }
        if let declared, declared != target { found(.bufferViewTargetOverride, place) }
    }

    // MARK: - Meshes

    private mutating func checkMeshes(_ file: GLTFFile) {
        for (index, mesh) in file.list("meshes").enumerated() {
            let primitives = mesh["primitives"]?.elements ?? []
            if primitives.isEmpty { found(.emptyEntity, "meshes[\(index)].primitives") }
            let targets = primitives.map { $0["targets"]?.elements.count ?? 0 }
            if Set(targets).count > 1 { found(.primitivesUnequalTargets, "meshes[\(index)]") }
            if let weights = mesh["weights"]?.elements, weights.count != targets.first {
                found(.meshWeightsCount, "meshes[\(index)]")
            }
            for (place, primitive) in primitives.enumerated() {
                checkPrimitive(primitive, "meshes[\(index)].primitives[\(place)]", file)
            }
        }
    }

    private mutating func checkPrimitive(_ primitive: JSONNode, _ place: String, _ file: GLTFFile) {
        let attributes = primitive["attributes"]?.members ?? [:]
        guard let position = accessor(attributes["POSITION"]?.int) else { return found(.primitiveNoPosition, place) }
        if !position.hasBounds { found(.primitiveNoBounds, place) }
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            guard refer(value.int, in: "accessors", file, from: place), let accessor = accessor(value.int) else {
                continue
            }
            use(value.int, as: 34962, "\(place).\(name)")
            if accessor.count != position.count { found(.primitiveUnequalCounts, "\(place).\(name)") }
            check(name, accessor, place)
        }
        for set in ["TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"] {
            let numbers = attributes.keys.filter { $0.hasPrefix(set + "_") }.compactMap {
                Int($0.dropFirst(set.count + 1))
            }
            if numbers.sorted() != Array(0..<numbers.count) { found(.primitiveContinuity, "\(place).\(set)") }
        }
        if attributes["TANGENT"] != nil, attributes["NORMAL"] == nil { found(.primitiveTangentWithoutNormal, place) }
        checkJoints(attributes, place)
        checkIndices(primitive, position, place, file)
        for target in primitive["targets"]?.elements ?? [] {
            for (name, value) in target.members {
                guard let accessor = accessor(value.int) else { found(.unresolvedReference, place); continue }
                use(value.int, as: 34962, "\(place).targets.\(name)")
                if accessor.count != position.count { found(.morphTargetCount, place) }
            }
        }
        guard refer(primitive["material"]?.int, in: "materials", file, from: place),
            let material = primitive["material"]?.int
        else { return }
        for set in Self.texcoords(of: file.list("materials")[material]) where attributes["TEXCOORD_\(set)"] == nil {
            found(.primitiveTooFewTexcoords, "\(place): TEXCOORD_\(set)")
        }
    }

    private mutating func check(_ name: String, _ accessor: GLTFAccessor, _ place: String) {
        let kind = name.prefix { $0 != "_" }
        let isQuantized = file?.list("extensionsRequired").contains { $0.string == "KHR_mesh_quantization" } == true
        let positions = isQuantized ? [5126, 5120, 5121, 5122, 5123] : [5126]
        let directions = isQuantized && accessor.isNormalized ? [5120, 5122] : [5126]
        let formats: [String: [(width: Int, components: [Int])]] = [
            "POSITION": [(3, positions)], "NORMAL": [(3, directions)], "TANGENT": [(4, directions)],
            "TEXCOORD": [(2, [5126, 5121, 5123])], "COLOR": [(3, [5126, 5121, 5123]), (4, [5126, 5121, 5123])],
            "JOINTS": [(4, [5121, 5123])], "WEIGHTS": [(4, [5126, 5121, 5123])],
        ]
        guard let allowed = formats[String(kind)] else { return found(.primitiveInvalidAttribute, "\(place).\(name)") }
        guard allowed.contains(where: { $0.width == accessor.width && $0.components.contains(accessor.component) })
        else {
            return found(.primitiveAttributeFormat, "\(place).\(name)")
        }
        switch kind {
        case "NORMAL", "TANGENT":
            for index in 0..<accessor.count {
                let row = Array(accessor.row(index))
                let length = (row[0] * row[0] + row[1] * row[1] + row[2] * row[2]).squareRoot()
                if abs(length - 1) > (accessor.component == 5120 ? 0.01 : 0.005) {
                    found(.accessorNonUnit, "\(place).\(name)[\(index)]: \(length)")
                    break
                }
                if kind == "TANGENT", abs(row[3]) != 1 {
                    return found(.accessorInvalidSign, "\(place).\(name)[\(index)]")
                }
            }
        case "COLOR":
            if accessor.values.contains(where: { $0 < 0 || $0 > 1 }) { found(.accessorColorRange, "\(place).\(name)") }
        default: break
        }
    }

    private mutating func checkJoints(_ attributes: [String: JSONNode], _ place: String) {
        let sets = attributes.keys.filter { $0.hasPrefix("JOINTS_") }.count
        guard sets == attributes.keys.filter({ $0.hasPrefix("WEIGHTS_") }).count else {
            return found(.primitiveJointsWeights, place)
        }
        let pairs = (0..<sets).compactMap { set -> (GLTFAccessor, GLTFAccessor)? in
            guard let joints = accessor(attributes["JOINTS_\(set)"]?.int), joints.width == 4,
                let weights = accessor(attributes["WEIGHTS_\(set)"]?.int), weights.width == 4,
                joints.count == weights.count
            else { return nil }
            return (joints, weights)
        }
        guard let count = pairs.first?.0.count, !pairs.isEmpty else { return }
        for vertex in 0..<count {
            let joints = pairs.flatMap { $0.0.row(vertex) }
            let weights = pairs.flatMap { $0.1.row(vertex) }
            if weights.contains(where: { $0 < 0 }) { return found(.accessorWeightsNegative, "\(place)[\(vertex)]") }
            if abs(weights.reduce(0, +) - 1) > 2e-7 * Double(weights.count) * 2 {
                return found(.accessorWeightsNotNormalized, "\(place)[\(vertex)]: \(weights)")
            }
            let used = zip(joints, weights).filter { $0.1 > 0 }.map(\.0)
            if Set(used).count != used.count { return found(.accessorJointDuplicate, "\(place)[\(vertex)]: \(joints)") }
            if zip(joints, weights).contains(where: { $0.1 == 0 && $0.0 != 0 }) {
                return found(.accessorJointUsedZeroWeight, "\(place)[\(vertex)]")
            }
        }
    }

    private mutating func checkIndices(
        _ primitive: JSONNode, _ position: GLTFAccessor, _ place: String, _ file: GLTFFile
    ) {
        let mode = primitive["mode"]?.int ?? 4
        if !(0...6).contains(mode) { found(.valueNotInRange, "\(place).mode") }
        guard primitive["indices"] != nil else { return }
        guard refer(primitive["indices"]?.int, in: "accessors", file, from: place),
            let indices = accessor(primitive["indices"]?.int)
        else { return }
        use(primitive["indices"]?.int, as: 34963, "\(place).indices")
        guard indices.width == 1, [5121, 5123, 5125].contains(indices.component) else {
            return found(.primitiveIndicesFormat, place)
        }
        if let wrong = indices.values.first(where: { $0 >= Double(position.count) }) {
            found(.accessorIndexOutOfBounds, "\(place): \(wrong) of \(position.count)")
        }
        let restart: Double = [5121: 255, 5123: 65535, 5125: 4_294_967_295][indices.component] ?? -1
        if indices.values.contains(restart) { found(.accessorPrimitiveRestart, place) }
        let fits: Bool =
            switch mode {
            case 1: indices.count % 2 == 0
            case 2, 3: indices.count >= 2
            case 4: indices.count % 3 == 0
            case 5, 6: indices.count >= 3
            default: true
            }
        if !fits { found(.primitiveMode, "\(place): \(indices.count) indices") }
    }

    private static func texcoords(of material: JSONNode) -> Set<Int> {
        var sets = Set<Int>()
        var stack = [material]
        while let node = stack.popLast() {
            for (key, value) in node.members {
                if key.hasSuffix("Texture") { sets.insert(value["texCoord"]?.int ?? 0) }
                stack.append(value)
            }
        }
        return sets
    }

    // MARK: - Nodes

    private mutating func checkNodes(_ file: GLTFFile) {
        let nodes = file.list("nodes")
        var parents = [Int](repeating: -1, count: nodes.count)
        for (index, node) in nodes.enumerated() {
            let place = "nodes[\(index)]"
            for child in node["children"]?.elements ?? [] {
                guard refer(child.int, in: "nodes", file, from: place), let child = child.int else { continue }
                if parents[child] >= 0 { found(.nodeParentOverride, "nodes[\(child)]") }
                parents[child] = index
            }
            check(node, place, file)
        }
        for index in nodes.indices {
            var (at, steps) = (index, 0)
            while at >= 0, steps <= nodes.count { (at, steps) = (parents[at], steps + 1) }
            if steps > nodes.count { return found(.nodeLoop, "nodes[\(index)]") }
        }
        for scene in file.list("scenes") {
            let roots = scene["nodes"]?.elements.compactMap(\.int) ?? []
            if Set(roots).count != roots.count { found(.duplicateElements, "scene") }
            for root in roots where nodes.indices.contains(root) && parents[root] >= 0 {
                found(.sceneNonRoot, "nodes[\(root)]")
            }
        }
        _ = refer(file.root["scene"]?.int, in: "scenes", file, from: "scene")
        self.parents = parents
    }

    private var parents: [Int] = []

    private mutating func check(_ node: JSONNode, _ place: String, _ file: GLTFFile) {
        let parts = ["translation", "rotation", "scale"].filter { node[$0] != nil }
        if let matrix = node["matrix"]?.numbers {
            if !parts.isEmpty { found(.nodeMatrixTRS, place) }
            if matrix.count != 16 { found(.arrayLengthNotInList, place) } else { checkMatrix(matrix, place) }
        }
        if let rotation = node["rotation"]?.numbers {
            let length = rotation.reduce(0) { $0 + $1 * $1 }.squareRoot()
            if rotation.count != 4 || abs(length - 1) > 5e-4 { found(.nodeRotation, "\(place): \(rotation)") }
        }
        let hasMesh = node["mesh"] != nil && refer(node["mesh"]?.int, in: "meshes", file, from: place)
        let isSkinned =
            hasMesh
            && file.list("meshes")[node["mesh"]?.int ?? 0]["primitives"]?.elements.allSatisfy {
                $0["attributes"]?["JOINTS_0"] != nil
            } == true
        if node["skin"] != nil {
            _ = refer(node["skin"]?.int, in: "skins", file, from: place)
            if !isSkinned { found(.nodeSkinWithoutSkinnedMesh, place) }
        } else if isSkinned {
            found(.nodeSkinnedMeshWithoutSkin, place)
        }
        if node["camera"] != nil { _ = refer(node["camera"]?.int, in: "cameras", file, from: place) }
    }

    private mutating func checkMatrix(_ matrix: [Double], _ place: String) {
        let axes = (0..<3).map { Array(matrix[$0 * 4..<$0 * 4 + 3]) }
        func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let bound = 1e-3 * (dot(axes[first], axes[first]) * dot(axes[second], axes[second])).squareRoot()
            if abs(dot(axes[first], axes[second])) > bound { return found(.nodeMatrixNotTRS, place) }
        }
        if matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || matrix[15] != 1 { found(.nodeMatrixNotTRS, place) }
    }

    // MARK: - Skins

    private mutating func checkSkins(_ file: GLTFFile) {
        for (index, skin) in file.list("skins").enumerated() {
            let place = "skins[\(index)]"
            let joints = skin["joints"]?.elements.compactMap(\.int) ?? []
            if joints.isEmpty { found(.emptyEntity, place) }
            if Set(joints).count < joints.count { found(.duplicateElements, place) }
            var roots = Set<Int>()
            for joint in joints {
                guard refer(joint, in: "nodes", file, from: place) else { continue }
                var (at, steps) = (joint, 0)
                while parents[at] >= 0, steps <= parents.count { (at, steps) = (parents[at], steps + 1) }
                roots.insert(at)
            }
            if roots.count > 1 { found(.skinNoCommonRoot, place) }
            guard let matrices = accessor(skin["inverseBindMatrices"]?.int) else { continue }
            use(skin["inverseBindMatrices"]?.int, as: nil, place)
            if matrices.width != 16 || matrices.component != 5126 { found(.skinMatricesFormat, place) }
            if matrices.count < joints.count { found(.skinMatricesCount, place) }
            for row in 0..<matrices.count where matrices.width == 16 {
                let matrix = Array(matrices.row(row))
                if matrix[3] != 0 || matrix[7] != 0 || matrix[11] != 0 || matrix[15] != 1 {
                    found(.accessorInverseBind, place)
                }
            }
        }
        for (index, node) in file.list("nodes").enumerated() {
            guard let skin = node["skin"]?.int, let mesh = node["mesh"]?.int, file.list("skins").indices.contains(skin),
                file.list("meshes").indices.contains(mesh)
            else { continue }
            let count = Double(file.list("skins")[skin]["joints"]?.elements.count ?? 0)
            for primitive in file.list("meshes")[mesh]["primitives"]?.elements ?? [] {
                guard let joints = accessor(primitive["attributes"]?["JOINTS_0"]?.int) else { continue }
                if joints.values.contains(where: { $0 >= count }) {
                    found(.accessorJointOutOfBounds, "nodes[\(index)]")
                }
            }
        }
    }

    // MARK: - Animations

    private mutating func checkAnimations(_ file: GLTFFile) {
        for (index, animation) in file.list("animations").enumerated() {
            let samplers = animation["samplers"]?.elements ?? []
            let channels = animation["channels"]?.elements ?? []
            if samplers.isEmpty || channels.isEmpty { found(.emptyEntity, "animations[\(index)]") }
            for (place, sampler) in samplers.enumerated() {
                checkInput(sampler, "animations[\(index)].samplers[\(place)]")
            }
            var targets = Set<String>()
            for (place, channel) in channels.enumerated() {
                let place = "animations[\(index)].channels[\(place)]"
                guard let number = channel["sampler"]?.int, samplers.indices.contains(number) else {
                    found(.unresolvedReference, place)
                    continue
                }
                guard refer(channel["target"]?["node"]?.int, in: "nodes", file, from: place),
                    let node = channel["target"]?["node"]?.int, let path = channel["target"]?["path"]?.string
                else { continue }
                if !targets.insert("\(node) \(path)").inserted { found(.animationDuplicateTargets, place) }
                check(samplers[number], path, file.list("nodes")[node], place, file)
            }
        }
    }

    private mutating func checkInput(_ sampler: JSONNode, _ place: String) {
        guard let input = accessor(sampler["input"]?.int) else { return found(.unresolvedReference, place) }
        use(sampler["input"]?.int, as: nil, place)
        use(sampler["output"]?.int, as: nil, place)
        if input.width != 1 || input.component != 5126 { return found(.animationInputFormat, place) }
        if !input.hasBounds { found(.animationInputNoBounds, place) }
        if input.values.first ?? 0 < 0 { found(.accessorInputNegative, place) }
        if zip(input.values, input.values.dropFirst()).contains(where: { $0 >= $1 }) {
            found(.accessorInputNotIncreasing, place)
        }
        if let word = sampler["interpolation"]?.string, !["LINEAR", "STEP", "CUBICSPLINE"].contains(word) {
            found(.valueNotInList, place)
        }
    }

    private mutating func check(
        _ sampler: JSONNode, _ path: String, _ node: JSONNode, _ place: String, _ file: GLTFFile
    ) {
        guard let input = accessor(sampler["input"]?.int), let output = accessor(sampler["output"]?.int) else { return }
        let widths = ["translation": 3, "rotation": 4, "scale": 3, "weights": 1]
        guard let width = widths[path] else { return found(.valueNotInList, place) }
        let isShort = path == "rotation" && output.component == 5122 && output.isNormalized
        if output.width != width || output.component != 5126 && !isShort { return found(.animationOutputFormat, place) }
        if node["matrix"] != nil { found(.animationTargetMatrix, place) }
        var each = 1
        if path == "weights" {
            let mesh = node["mesh"]?.int.flatMap {
                file.list("meshes").indices.contains($0) ? file.list("meshes")[$0] : nil
            }
            each = mesh?["primitives"]?.elements.first?["targets"]?.elements.count ?? 0
            if each == 0 { return found(.animationTargetNoMorph, place) }
        }
        let parts = sampler["interpolation"]?.string == "CUBICSPLINE" ? 3 : 1
        if output.count != input.count * each * parts { found(.animationOutputCount, place) }
        guard path == "rotation", parts == 1 else { return }
        for index in 0..<output.count {
            let length = output.row(index).reduce(0) { $0 + $1 * $1 }.squareRoot()
            if abs(length - 1) > 5e-4 { return found(.accessorQuaternion, "\(place)[\(index)]: \(length)") }
        }
    }

    // MARK: - The rest

    private mutating func checkOptics(_ file: GLTFFile) {
        for (index, camera) in file.list("cameras").enumerated() {
            let place = "cameras[\(index)]"
            guard let type = camera["type"]?.string, let optics = camera[type] else {
                found(.undefinedProperty, place)
                continue
            }
            if let near = optics["znear"]?.number, let far = optics["zfar"]?.number, far <= near {
                found(.cameraFarBeforeNear, place)
            }
            if type == "perspective" {
                guard let angle = optics["yfov"]?.number else { found(.undefinedProperty, place); continue }
                if angle <= 0 || angle >= .pi { found(.cameraFieldOfView, place) }
                if optics["znear"]?.number ?? 0 <= 0 { found(.valueNotInRange, "\(place).znear") }
            } else if optics["xmag"]?.number ?? 0 == 0 || optics["ymag"]?.number ?? 0 == 0 {
                found(.cameraZeroMag, place)
            }
        }
        for (index, light) in (file.root["extensions"]?["KHR_lights_punctual"]?["lights"]?.elements ?? []).enumerated()
        {
            let place = "lights[\(index)]"
            guard light["type"]?.string == "spot" else { continue }
            guard let spot = light["spot"] else { found(.lightSpotMissing, place); continue }
            let (inner, outer) = (spot["innerConeAngle"]?.number ?? 0, spot["outerConeAngle"]?.number ?? .pi / 4)
            if inner >= outer || outer > .pi / 2 + 1e-12 { found(.lightSpotAngles, place) }
        }
    }

    private mutating func checkImages(_ file: GLTFFile) {
        for (index, image) in file.list("images").enumerated() {
            let place = "images[\(index)]"
            guard refer(image["bufferView"]?.int, in: "bufferViews", file, from: place),
                let view = image["bufferView"]?.int
            else { continue }
            usedViews.insert(view)
            let node = file.list("bufferViews")[view]
            if node["byteStride"] != nil { found(.imageStride, place) }
            let start = node["byteOffset"]?.int ?? 0
            let bytes = start + 4 <= file.binary.count ? Array(file.binary[start..<start + 4]) : []
            let isPNG = bytes == [0x89, 0x50, 0x4E, 0x47]
            let isJPEG = bytes.prefix(3) == [0xFF, 0xD8, 0xFF]
            if !isPNG && !isJPEG { found(.imageUnrecognized, place) }
            if image["mimeType"]?.string != (isPNG ? "image/png" : "image/jpeg") { found(.imageMediaType, place) }
        }
        for (index, texture) in file.list("textures").enumerated() {
            _ = refer(texture["source"]?.int, in: "images", file, from: "textures[\(index)]")
            _ = refer(texture["sampler"]?.int, in: "samplers", file, from: "textures[\(index)]")
        }
        for (index, material) in file.list("materials").enumerated() {
            var stack = [material]
            while let node = stack.popLast() {
                for (key, value) in node.members {
                    if key.hasSuffix("Texture") {
                        _ = refer(value["index"]?.int, in: "textures", file, from: "materials[\(index)].\(key)")
                    }
                    stack.append(value)
                }
            }
            for factor in material["pbrMetallicRoughness"]?["baseColorFactor"]?.numbers ?? []
            where !(0...1).contains(factor) {
                found(.valueNotInRange, "materials[\(index)].baseColorFactor")
            }
            for factor in material["emissiveFactor"]?.numbers ?? [] where !(0...1).contains(factor) {
                found(.valueNotInRange, "materials[\(index)].emissiveFactor")
            }
            if let mode = material["alphaMode"]?.string, !["OPAQUE", "MASK", "BLEND"].contains(mode) {
                found(.valueNotInList, "materials[\(index)].alphaMode")
            }
        }
    }

    private mutating func checkUse(_ file: GLTFFile) {
        for index in accessors.indices where !usedAccessors.contains(index) {
            found(.unusedObject, "accessors[\(index)]")
        }
        for index in file.list("bufferViews").indices where !usedViews.contains(index) {
            found(.unusedObject, "bufferViews[\(index)]")
        }
    }
}
