extension Dae {
    /// One animation of the document, with what it moves.
    public struct Animation: Sendable, Equatable {
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// Empty where only figures were read.
        public var channels: [AnimationChannel]
        /// Its parts.
        public var children: [SceneIndex<Animation>]
        /// What channels are to move that leads to nothing that can be moved, as the document writes it.
        package var unresolvedTargets: [String] = []

        package init(id: String?, name: String?, channels: [AnimationChannel], children: [SceneIndex<Animation>]) {
            self.id = id
            self.name = name
            self.channels = channels
            self.children = children
        }
    }

    /// A named stretch of time in which some animations play.
    public struct AnimationClip: Sendable, Hashable {
        /// The element's `id`; `nil` where it has none.
        public var id: String?
        /// The element's `name`, for people; `nil` where it has none.
        public var name: String?
        /// Seconds.
        public var start: Double
        /// Seconds; `nil` without keys to tell by.
        public var end: Double?
        /// The animations that it plays.
        public var animations: [SceneIndex<Animation>]

        package init(id: String?, name: String?, start: Double, end: Double?, animations: [SceneIndex<Animation>]) {
            self.id = id
            self.name = name
            self.start = start
            self.end = end
            self.animations = animations
        }
    }

    /// What a curve is before its first key or after its last.
    ///
    /// - Source: COLLADA 1.5.0, `sampler`, `pre_behavior` and `post_behavior`; 1.4 leaves it undefined.
    package enum AnimationBehavior: String, Sendable, Hashable, CaseIterable {
        /// Nothing is promised; here as `constant`.
        case undefined = "UNDEFINED"
        /// The nearest key's value.
        case constant = "CONSTANT"
        /// Goes on along the straight line through the two nearest keys.
        case gradient = "GRADIENT"
        /// Begins again.
        case cycle = "CYCLE"
        /// Runs back and forth.
        case oscillate = "OSCILLATE"
        /// Begins again from the value it ended with.
        case cycleRelative = "CYCLE_RELATIVE"
    }

    /// Which numbers of its target a channel moves: what stands behind the last sid of a target.
    public enum AnimationMember: Sendable, Hashable {
        /// All of them.
        case whole
        case named(Name)
        /// `(i)`: the number at `i`, from 0, of the element's own list.
        case index(Int)
        /// `(i)(j)`: a cell of a matrix, column first.
        ///
        /// Column first, as exporters of 3ds Max write it: their `transform(3)(0)` runs through the x of the translation,
        /// which stands at the end of the matrix's first row.
        case cell(column: Int, row: Int)

        /// - Source: COLLADA 1.4.1 and 1.5.0, "Common glossary".
        public enum Name: String, Sendable, Hashable, CaseIterable {
            case x = "X"
            case y = "Y"
            case z = "Z"
            case w = "W"
            case angle = "ANGLE"
            case red = "R"
            case green = "G"
            case blue = "B"
            case alpha = "A"
            case s = "S"
            case t = "T"
            case p = "P"
            case q = "Q"
            case u = "U"
            case v = "V"
            case time = "TIME"
        }

        /// Reads what follows a sid: nothing, `.X`, `(3)` or `(3)(0)`. `nil` for anything else.
        package init?(_ suffix: some StringProtocol) {
            guard let first = suffix.first else {
                self = .whole
                return
            }
            if first == "." {
                guard let name = Name(rawValue: String(suffix.dropFirst())) else { return nil }
                self = .named(name)
                return
            }
            guard first == "(", suffix.last == ")" else { return nil }
            let parts = suffix.dropFirst().dropLast().split(separator: ")(", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
            let numbers = parts.compactMap { Int($0) }
            guard numbers.count == parts.count else { return nil }
            if numbers.count == 1 {
                self = .index(numbers[0])
            } else if numbers.count == 2 {
                self = .cell(column: numbers[0], row: numbers[1])
            } else {
                return nil
            }
        }

        /// Where the member's numbers are among the `count` of a vector or a colour; `nil` when it has no such member.
        package func range(inVectorOf count: Int) -> Range<Int>? {
            switch self {
            case .whole:
                return count > 0 ? 0..<count : nil
            case .index(let index):
                return index >= 0 && index < count ? index..<index + 1 : nil
            case .cell:
                return nil
            case .named(let name):
                return name.vectorPlace.flatMap { $0 < count ? $0..<$0 + 1 : nil }
            }
        }
    }
}

extension AnimationMember.Name {
    /// Place in a point, a colour or a set of texture coordinates.
    var vectorPlace: Int? {
        switch self {
        case .x, .red, .s, .u: 0
        case .y, .green, .t, .v: 1
        case .z, .blue, .p: 2
        case .w, .alpha, .q: 3
        case .angle, .time: nil
        }
    }
}

extension Dae {
    /// What a channel moves.
    public enum AnimationTarget: Sendable, Hashable {
        /// A transform of a node, by its place in the node's list.
        case transform(SceneIndex<Node>, at: Int, AnimationMember)
        /// The weight of one target of a morph, or with `nil` those of all.
        case morphWeight(SceneIndex<Controller>, at: Int?)
        case material(SceneIndex<Material>, MaterialParameter, AnimationMember)
        case camera(SceneIndex<Camera>, CameraParameter)
        case light(SceneIndex<Light>, LightParameter, AnimationMember)

        /// What of a material a channel moves.
        public enum MaterialParameter: Sendable, Hashable {
            case property(Material.Property)
            /// None of a material's own: the sids below its effect, joined by `/`, as the channel gives them.
            case path(String)

            /// A property where the name is that of one, else a path.
            package init(named name: String) {
                self = Material.Property(rawValue: name).map { .property($0) } ?? .path(name)
            }

            /// As documents write it: `diffuse`, or the path.
            package var name: String {
                switch self {
                case .property(let property): property.rawValue
                case .path(let path): path
                }
            }
        }

        /// What of a camera a channel moves; raw values are COLLADA's names.
        public enum CameraParameter: String, Sendable, Hashable, CaseIterable {
            case xfov, yfov, xmag, ymag, znear, zfar
            case aspectRatio = "aspect_ratio"
        }

        /// What of a light a channel moves; raw values are COLLADA's names.
        public enum LightParameter: String, Sendable, Hashable, CaseIterable {
            case color
            case constantAttenuation = "constant_attenuation"
            case linearAttenuation = "linear_attenuation"
            case quadraticAttenuation = "quadratic_attenuation"
            case falloffAngle = "falloff_angle"
            case falloffExponent = "falloff_exponent"
        }
    }

    /// A curve and what it moves. A curve may stand in several channels; it is stored once.
    public struct AnimationChannel: Sendable, Equatable {
        /// What it moves.
        public var target: AnimationTarget
        /// The values over time.
        public var curve: AnimationCurve

        package init(target: AnimationTarget, curve: AnimationCurve) {
            self.target = target
            self.curve = curve
        }
    }

    /// How a curve goes from one key to the next. The key at a segment's start decides.
    package enum AnimationInterpolation: String, Sendable, Hashable, CaseIterable {
        case linear = "LINEAR"
        case bezier = "BEZIER"
        case hermite = "HERMITE"
        case cardinal = "CARDINAL"
        /// Does not pass through the keys inside a run of such segments.
        case bspline = "BSPLINE"
        case step = "STEP"

        var needsTangents: Bool {
            switch self {
            case .bezier, .hermite: true
            case .linear, .cardinal, .bspline, .step: false
            }
        }
    }

    /// The interpolation of every segment of a curve, in one byte a key or less.
    package enum AnimationInterpolations: Sendable, Hashable {
        case all(AnimationInterpolation)
        /// One a key, in the keys' order. Where it is too short, its last holds on; the last key's own says nothing.
        case each([AnimationInterpolation])

        subscript(segment: Int) -> AnimationInterpolation {
            switch self {
            case .all(let one): one
            case .each(let list): segment < list.count ? list[segment] : list.last ?? .linear
            }
        }

        func contains(_ wanted: AnimationInterpolation) -> Bool {
            switch self {
            case .all(let one): one == wanted
            case .each(let list): list.contains(wanted)
            }
        }

        func mapped(_ change: (AnimationInterpolation) -> AnimationInterpolation) -> AnimationInterpolations {
            switch self {
            case .all(let one): .all(change(one))
            case .each(let list): .each(list.map(change))
            }
        }
    }
}

extension AnimationInterpolations {
    /// Reads the names of an INTERPOLATION source; what is not known or not there becomes linear.
    ///
    /// Some exporters write `width` names a key, one a component; the first of each key is taken.
    init(names: [String], keys: Int, width: Int, issues: inout [AnimationCurve.Issue]) {
        guard let first = names.first else {
            if keys > 0 { issues.append(.interpolationsMissing) }
            self = .all(.linear)
            return
        }
        let stride = width > 1 && names.count / width == keys && names.count % width == 0 ? width : 1
        if stride > 1 { issues.append(.interpolationPerComponent(width: width)) }
        if stride == 1 && names.count < keys - 1 {
            issues.append(.interpolationsTooFew(names: names.count, keys: keys))
        }
        var unknown: (name: String, count: Int)?
        func read(_ name: String) -> AnimationInterpolation {
            if let known = AnimationInterpolation(rawValue: name) { return known }
            unknown = (unknown?.name ?? name, (unknown?.count ?? 0) + 1)
            return .linear
        }
        if names.allSatisfy({ $0 == first }) {
            self = .all(read(first))
            if let only = unknown { unknown = (only.name, names.count) }
        } else {
            let count = Swift.min(keys, names.count / stride)
            self = .each((0..<count).map { read(names[$0 * stride]) })
        }
        if let unknown { issues.append(.unknownInterpolation(name: unknown.name, count: unknown.count)) }
    }
}
