extension Scene {
    /// What its numbers are written in.
    public var coordinateSystem: Dae.CoordinateSystem {
        CoordinateSystem(metersPerUnit: metersPerUnit, upAxis: upAxis)
    }

    /// The same scene in another unit and with another up axis, by one node above all.
    ///
    /// Every number of the document stays as it is; only the new root's matrix scales and turns. So whatever goes by
    /// matrices from the root (bounds, poses, skins, what is exported) comes out in the new system, and names, transforms
    /// and what channels move stay those of the file. What hangs on no matrix (lengths of cameras and lights, physics,
    /// kinematics) stays in the unit and axes below the root.
    ///
    /// A scene that was converted before gets no second root: the one it has is changed, and is taken away where the
    /// scene comes back to its own system, so that there and back again is the same scene.
    ///
    /// - Parameter meters: Metres in one of the new units; a number above 0.
    public func converted(toMeters meters: Double, up: UpAxis) -> Dae.Scene {
        precondition(meters > 0 && meters.isFinite, "a unit is a positive number of metres")
        let target = CoordinateSystem(metersPerUnit: meters, upAxis: up)
        guard target != coordinateSystem else { return self }
        var scene = self
        scene.metersPerUnit = meters
        scene.upAxis = up
        if let (root, written) = conversionRoot {
            if target == written, root == nodes.count - 1 {
                scene.roots = nodes[root].children
                scene.nodes.removeLast()
            } else {
                scene.nodes[root] = .conversion(from: written, to: target, children: nodes[root].children)
            }
        } else if !roots.isEmpty {
            scene.nodes.append(.conversion(from: coordinateSystem, to: target, children: roots))
            scene.roots = [SceneIndex(nodes.count)]
        }
        return scene
    }

    /// The same scene, larger along each axis, by one node above all but a root that converts it.
    ///
    /// - Parameter factors: In axes of which Z points up; numbers other than 0.
    package func scaled(by factors: SIMD3<Double>) -> Dae.Scene {
        guard factors != [1, 1, 1], !roots.isEmpty else { return self }
        let (written, below) = unconverted
        let upright = CoordinateSystem(metersPerUnit: written.metersPerUnit, upAxis: .z)
        let scale = Matrix4(
            columns: ([factors.x, 0, 0, 0], [0, factors.y, 0, 0], [0, 0, factors.z, 0], [0, 0, 0, 1]))
        let matrix = upright.turn(to: written) * scale * written.turn(to: upright)
        var node = Node(
            id: nil, name: nil, sid: nil, kind: .node, transforms: [.matrix(matrix)], children: below)
        node.role = .placement
        var scene = self
        scene.nodes.append(node)
        let top = SceneIndex<Node>(nodes.count)
        if let (root, _) = conversionRoot { scene.nodes[root].children = [top] } else { scene.roots = [top] }
        return scene
    }

    /// The scene below the root that converts it, where there is one: what it is written in, and its roots.
    package var unconverted: (system: CoordinateSystem, roots: [SceneIndex<Node>]) {
        guard let (root, written) = conversionRoot else { return (coordinateSystem, roots) }
        return (written, nodes[root].children)
    }

    /// The only root, where it does nothing but convert, and the system below it.
    private var conversionRoot: (index: Int, written: CoordinateSystem)? {
        guard roots.count == 1, let root = roots.first, nodes[root].instances.isEmpty else { return nil }
        switch nodes[root].role {
        case .element, .placement: return nil
        case .conversion(from: let written): return (root.value, written)
        }
    }
}

extension Node {
    /// A node of no document that takes what is below it from one system into another.
    package static func conversion(
        from source: Dae.CoordinateSystem, to target: Dae.CoordinateSystem, children: [Dae.SceneIndex<Dae.Node>] = [],
        instances: [Dae.Instance] = []
    ) -> Dae.Node {
        let matrix = source.conversion(to: target)
        var node = Node(
            id: nil, name: nil, sid: nil, kind: .node, transforms: [.matrix(matrix)],
            children: children, instances: instances)
        node.role = .conversion(from: source)
        return node
    }
}

// An axis of one system is an axis of the other, perhaps turned round: every number of a vector becomes one number of
// the new one, so nothing is lost by adding zeros, and single numbers can be taken over as well as whole vectors.

/// What becomes of numbers that are written in one unit and up axis where another holds.
package struct SystemChange: Sendable {
    package let source: CoordinateSystem
    package let target: CoordinateSystem
    /// Units of the target in one of the source.
    let scale: Double
    /// For each axis of the source, which one of the target it is, and on which side of the origin it goes on.
    let axes: SIMD3<Int>
    let signs: SIMD3<Double>

    package init(from source: CoordinateSystem, to target: CoordinateSystem) {
        self.source = source
        self.target = target
        scale = source.scale(to: target)
        let turn = source.turn(to: target)
        var axes = SIMD3(0, 1, 2)
        var signs = SIMD3<Double>(1, 1, 1)
        for (axis, column) in [turn.columns.0, turn.columns.1, turn.columns.2].enumerated() {
            for row in 0..<3 where column[row] != 0 {
                axes[axis] = row
                signs[axis] = column[row]
            }
        }
        self.axes = axes
        self.signs = signs
    }

    package var isIdentity: Bool { source == target }

    /// The scale to a power.
    func factor(_ lengths: Int) -> Double {
        var factor = 1.0
        for _ in 0..<abs(lengths) { factor *= scale }
        return lengths < 0 ? 1 / factor : factor
    }

    // MARK: - Numbers

    package func converted(_ number: Double, _ quantity: Quantity) -> Double { number * factor(quantity.lengths) }

    package func converted(_ vector: SIMD3<Double>, _ quantity: Quantity) -> SIMD3<Double> {
        switch quantity.kind {
        case .number: return vector * factor(quantity.lengths)
        // Adding zero makes no −0 of a turned 0.
        case .vector: return moved(vector * signs) * factor(quantity.lengths) + SIMD3<Double>.zero
        case .extents: return moved(vector) * factor(quantity.lengths)
        }
    }

    private func moved(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        var result = SIMD3<Double>()
        for axis in 0..<3 { result[axes[axis]] = vector[axis] }
        return result
    }

    // MARK: - Matrices

    /// A matrix between two spaces that are both converted: C·M·C⁻¹.
    package func converted(_ matrix: Matrix4) -> Matrix4 {
        var result = Matrix4.identity
        let places = ComponentMap(for: .matrix(matrix), by: self)
        let numbers = Transform.matrix(matrix).components
        for place in 0..<16 {
            result[row: places.places[place] / 4, column: places.places[place] % 4] =
                numbers[place] * places.factors[place] + 0
        }
        return result
    }

    /// The same where the inner space keeps its axes and only takes on the unit: what stands within goes along axes
    /// that have a meaning there, as a cylinder's y.
    package func convertedKeepingInnerAxes(_ matrix: Matrix4) -> Matrix4 {
        source.turn(to: target) * SystemChange(from: source, to: target.with(source.upAxis)).converted(matrix)
    }
}

extension CoordinateSystem {
    fileprivate func with(_ upAxis: Scene.UpAxis) -> CoordinateSystem {
        CoordinateSystem(metersPerUnit: metersPerUnit, upAxis: upAxis)
    }
}

extension Matrix4 {
    fileprivate subscript(row row: Int, column column: Int) -> Double {
        get {
            switch column {
            case 0: columns.0[row]
            case 1: columns.1[row]
            case 2: columns.2[row]
            default: columns.3[row]
            }
        }
        set {
            switch column {
            case 0: columns.0[row] = newValue
            case 1: columns.1[row] = newValue
            case 2: columns.2[row] = newValue
            default: columns.3[row] = newValue
            }
        }
    }
}

extension AnimationChannel {
    /// How a channel is taken into another system: what it then moves, and what becomes of its numbers.
    package struct Conversion: Sendable {
        package let target: AnimationTarget
        package let map: ComponentMap
    }

    /// What has to become of the channel; `nil` where its numbers mean the same in both systems, and where the curve
    /// does not fit its target.
    ///
    /// - Parameters:
    ///   - change: From the system that the curve is written in to that of the target.
    ///   - scene: Has the target's nodes, with transforms as written.
    package func conversion(by change: SystemChange, in scene: Scene) -> Conversion? {
        guard !change.isIdentity else { return nil }
        var target = target
        let map: ComponentMap
        switch target {
        case .transform(let node, let at, let member):
            guard scene.nodes.indices.contains(node.value), scene.nodes[node].transforms.indices.contains(at) else {
                return nil
            }
            let transform = scene.nodes[node].transforms[at]
            let whole = ComponentMap(for: transform, by: change)
            guard let range = member.range(in: transform), range.count == curve.width else { return nil }
            if range.count == whole.places.count {
                map = whole
            } else {
                let place = range.lowerBound
                map = whole.only(place)
                target = .transform(
                    node, at: at, member.moved(by: whole.places[place] - place, to: whole.places[place]))
            }
        case .camera(_, let parameter): map = ComponentMap(Quantity(parameter), by: change)
        case .light(_, let parameter, _): map = ComponentMap(Quantity(parameter), by: change)
        case .morphWeight, .material: return nil
        }
        guard map.places.count == curve.width, !map.isIdentity || target != self.target else { return nil }
        return Conversion(target: target, map: map)
    }
}

extension AnimationCurve {
    /// Numbers it holds for its values and tangents.
    package var numberCount: Int {
        values.count + (incoming?.numbers.count ?? 0) + (outgoing?.numbers.count ?? 0)
    }
}

extension AnimationMember {
    /// The member so many numbers further on, which is at `place` among those of a transform.
    fileprivate func moved(by distance: Int, to place: Int) -> AnimationMember {
        guard distance != 0 else { return self }
        switch self {
        case .whole: return self
        case .index: return .index(place)
        case .cell: return .cell(column: place % 4, row: place / 4)
        case .named(let name): return .named(name.moved(by: distance))
        }
    }
}

extension AnimationMember.Name {
    /// Of the axes; all others stay.
    fileprivate func moved(by distance: Int) -> Self {
        let axes: [Self] = [.x, .y, .z]
        guard let place = axes.firstIndex(of: self), axes.indices.contains(place + distance) else { return self }
        return axes[place + distance]
    }
}

// Cameras and lights look along their own −z whatever is up; their lengths hang on no node's matrix.

extension Camera {
    package mutating func convert(by change: SystemChange) {
        near = near.map { change.converted($0, .clippingDistance) }
        far = far.map { change.converted($0, .clippingDistance) }
        switch projection {
        case .orthographic(let xmag, let ymag):
            projection = .orthographic(
                xmag: xmag.map { change.converted($0, .magnification) },
                ymag: ymag.map { change.converted($0, .magnification) })
        case .perspective, nil: break
        }
    }
}

extension Light {
    package mutating func convert(by change: SystemChange) {
        switch source {
        case .point(let attenuation): source = .point(attenuation.converted(by: change))
        case .spot(let attenuation, let falloff): source = .spot(attenuation.converted(by: change), falloff)
        case .ambient, .directional, nil: break
        }
    }
}

extension Light.Attenuation {
    fileprivate func converted(by change: SystemChange) -> Light.Attenuation {
        Light.Attenuation(
            constant: constant, linear: change.converted(linear, .linearAttenuation),
            quadratic: change.converted(quadratic, .quadraticAttenuation))
    }
}
