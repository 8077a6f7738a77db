extension Dae {
    /// Where the vertices of a scene's meshes are at one time, skins and morphs applied.
    ///
    /// - Source: COLLADA 1.4.1 and 1.5.0, chapter 4, "Skin deformation (or skinning) in COLLADA" and `morph`.
    package struct Deformer: Sendable {
        private let scene: Scene
        private let pose: PoseEvaluator
        /// From each node to the world; of a node that stands in several places, for the first.
        private let worlds: [Matrix4?]
        /// By node, of what moves its first place with all that belongs to it (``Scene/frames(_:)``).
        private let frames: [Matrix4?]

        /// - Parameter pose: Of the same scene, moved to the time that is wanted.
        /// - Complexity: O(nodes + edges), for the joints' places.
        package init(scene: Scene, pose: PoseEvaluator) {
            self.scene = scene
            self.pose = pose
            worlds = pose.worlds(in: scene)
            frames = scene.frames(worlds)
        }

        /// The positions of the mesh that an instance draws, in the world: x y z for each element of the mesh's
        /// ``Mesh/Semantic/position`` stream. `nil` for what draws no mesh.
        ///
        /// A vertex that no joint moves, by the index −1, by a joint that was not found or for want of weights, stays in its
        /// bind shape where the instance stands. Weights are taken as they are written, whatever they sum up to.
        /// - Parameter matrix: From the node of the instance to the world (``PoseEvaluator/forEachPlacement(in:_:)``). Joints
        ///   of a skeleton that stands in several places are at its first.
        /// - Complexity: influences of its skins, and targets × vertices of its morphs.
        package func positions(of instance: Instance, placedBy matrix: Matrix4) -> [Double]? {
            switch instance {
            case .camera, .light: return nil
            case .geometry(let geometry, materials: _): return basePositions(of: geometry)?.moved(by: matrix)
            case .controller(let controller, let skeleton, materials: _):
                let joints = skeleton.joints.map {
                    $0.flatMap { worlds.indices.contains($0.value) ? worlds[$0.value] : nil }
                }
                let rig = PosedRig(joints: joints, carrier: carrier(of: skeleton, placedBy: matrix))
                return positions(of: controller, rig, placedBy: matrix)
            }
        }

        private func carrier(of skeleton: Skeleton, placedBy matrix: Matrix4) -> Matrix4 {
            switch skeleton.carrier {
            case .none: return .identity
            case .node(let around):
                let joints = skeleton.joints.lazy.compactMap(\.self)
                let below =
                    around.map { worlds.indices.contains($0.value) ? worlds[$0.value] : nil }
                    ?? joints.first { frames.indices.contains($0.value) }.flatMap { frames[$0.value] }
                return matrix * (below?.inverse ?? .identity)
            }
        }

        /// The joints of one instance of a skin at the present time.
        package struct PosedRig {
            /// From each of the skin's joints to the world; `nil` for one that is not there.
            let joints: [Matrix4?]
            /// What moves all that they have posed, in the world.
            let carrier: Matrix4

            init(joints: [Matrix4?], carrier: Matrix4) {
                self.joints = joints
                self.carrier = carrier
            }
        }

        /// The positions of the mesh that a controller draws, in the world.
        func positions(
            of controller: SceneIndex<Controller>, _ rig: PosedRig, placedBy matrix: Matrix4
        ) -> [Double]? {
            guard let base = scene.controllers[controller].base, var positions = basePositions(of: base) else {
                return nil
            }
            var space = Space.local
            var placedSkins = scene.chain(from: controller).count { scene.controllers[$0].isSkin }
            for index in scene.chain(from: controller).reversed() {
                switch scene.controllers[index].kind {
                case .morph(let morph):
                    // What a skin has moved into the world is blended with shapes of its own space.
                    settle(&positions, &space, .local, matrix)
                    blend(&positions, morph, weights: pose.morphWeights(of: index))
                case .skin(let skin):
                    settle(&positions, &space, .local, matrix)
                    placedSkins -= 1
                    // The first skin of the chain, which comes last, has the instance's joints.
                    bind(&positions, skin, placedSkins == 0 ? rig : nil, placedBy: matrix)
                    space = .world
                case nil: break
                }
            }
            settle(&positions, &space, .world, matrix)
            return positions
        }

        private enum Space {
            case local, world
        }

        private func settle(_ positions: inout [Double], _ space: inout Space, _ wanted: Space, _ matrix: Matrix4) {
            switch (space, wanted) {
            case (.local, .local), (.world, .world): return
            case (.local, .world): positions = positions.moved(by: matrix)
            case (.world, .local):
                // Flattened by its placement, a shape has no way back; what follows is then laid over it as it is.
                if let back = matrix.inverse { positions = positions.moved(by: back) }
            }
            space = wanted
        }

        // MARK: - Meshes

        private func basePositions(of geometry: SceneIndex<Geometry>) -> [Double]? {
            let geometry = scene.geometries[geometry.value]
            if let mesh = geometry.mesh { return mesh.streams.first { $0.semantic == .position }?.points }
            return geometry.positions.array
        }

        // MARK: - Morphs

        private func blend(_ positions: inout [Double], _ morph: Morph, weights: [Double]) {
            let active = zip(morph.targets, weights).filter { $0.1 != 0 }
            if case .normalized = morph.method {
                let rest = 1 - active.reduce(0) { $0 + $1.1 }
                for index in positions.indices { positions[index] *= rest }
            }
            for (target, weight) in active {
                guard let geometry = target.geometry, let shape = basePositions(of: geometry) else { continue }
                for index in 0..<min(positions.count, shape.count) { positions[index] += weight * shape[index] }
            }
        }

        // MARK: - Skins

        private func bind(
            _ positions: inout [Double], _ skin: Skin, _ rig: PosedRig?, placedBy matrix: Matrix4
        ) {
            let still = matrix * skin.bindShape
            let matrices = skin.joints.indices.map { joint in
                guard let rig, joint < rig.joints.count, let world = rig.joints[joint] else { return still }
                let inverse = joint < skin.inverseBinds.count ? skin.inverseBinds[joint] : .identity
                return rig.carrier * world * inverse * skin.bindShape
            }
            var moved = [Double](repeating: 0, count: positions.count)
            var isMoved = [Bool](repeating: false, count: positions.count / 3)
            positions.withUnsafeBufferPointer { positions in
                skin.influences.forEach(joints: skin.joints.count) { vertex, joint, weight in
                    guard weight != 0, vertex < isMoved.count else { return }
                    let matrix =
                        switch joint {
                        case .joint(let index): matrices[index]
                        case .bindShape: still
                        }
                    let at = vertex * 3
                    let point =
                        matrix.transform(point: SIMD3(positions[at], positions[at + 1], positions[at + 2])) * weight
                    moved[at] += point.x
                    moved[at + 1] += point.y
                    moved[at + 2] += point.z
                    isMoved[vertex] = true
                }
            }
            for vertex in isMoved.indices where !isMoved[vertex] {
                let at = vertex * 3
                let point = still.transform(point: SIMD3(positions[at], positions[at + 1], positions[at + 2]))
                moved[at] = point.x
                moved[at + 1] = point.y
                moved[at + 2] = point.z
            }
            positions = moved
        }
    }
}

extension Mesh.Stream {
    /// The first three numbers of every element; 0 for a lane that is not there.
    package var points: [Double] {
        var points: [Double] = []
        points.reserveCapacity(count * 3)
        for index in 0..<count {
            for lane in 0..<3 { points.append(value(index, lane: lane)) }
        }
        return points
    }
}

extension [Double] {
    /// Points, x y z after x y z, moved by a matrix.
    fileprivate func moved(by matrix: Matrix4) -> [Double] {
        var moved = self
        var at = 0
        while at + 2 < count {
            let point = matrix.transform(point: SIMD3(self[at], self[at + 1], self[at + 2]))
            moved[at] = point.x
            moved[at + 1] = point.y
            moved[at + 2] = point.z
            at += 3
        }
        return moved
    }
}

extension Scene {
    /// By node, the world of the lowest of the nodes around its first place that, beginning with a root, are no elements;
    /// `nil` without, and nothing at all where no root is such a node.
    ///
    /// - Parameter worlds: By node.
    fileprivate func frames(_ worlds: [Matrix4?]) -> [Matrix4?] {
        guard roots.contains(where: { !nodes[$0.value].role.isElement }) else { return [] }
        var frames = [Matrix4?](repeating: nil, count: nodes.count)
        var isSeen = [Bool](repeating: false, count: nodes.count)
        var stack = roots.reversed().map { (node: $0.value, frame: Matrix4?.none, isOuter: true) }
        while let (node, frame, isOuter) = stack.popLast() {
            guard !isSeen[node] else { continue }
            isSeen[node] = true
            frames[node] = frame
            let isFrame = isOuter && !nodes[node].role.isElement
            for child in nodes[node].children.reversed() {
                stack.append((child.value, isFrame ? worlds[node] : frame, isFrame))
            }
        }
        return frames
    }
}
