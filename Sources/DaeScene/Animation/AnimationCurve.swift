// Double, not Float: documents are decoded to arrays of Double, which a clean curve shares instead of copying, and a key
// is then had back bit for bit.

extension Dae {
    /// A function of time given by keys: what a `sampler` of a document means.
    ///
    /// Any numbers make a curve; what had to be mended stands in `issues`.
    public struct AnimationCurve: Sendable, Hashable {
        /// Numbers a value has: 1 for a scalar, 3 for a translation, 4 for a rotation, 16 for a matrix; at least 1.
        public let width: Int
        /// In seconds, finite, never decreasing. Of keys at one time the last holds from there on.
        public private(set) var times: NumberArray<Double>
        /// Flat, at least `times.count * width`; row-major for matrices.
        public private(set) var values: NumberArray<Double>
        package private(set) var interpolations: AnimationInterpolations
        package let before: AnimationBehavior
        package let after: AnimationBehavior
        /// What was found and mended, each kind at most once.
        package private(set) var issues: [Issue]

        private(set) var incoming: TangentList?
        private(set) var outgoing: TangentList?
        let oneDimensional: AnimationTangents.OneDimensional

        /// - Parameters:
        ///   - interpolationNames: As in the document, one a key.
        ///   - tangents: Needed by BEZIER and HERMITE only; in both, a segment uses the outgoing one of its first key and
        ///     the incoming one of its second.
        package init(
            times: [Double], values: [Double], width: Int, interpolationNames: [String],
            tangents: AnimationTangents = .none, before: AnimationBehavior = .undefined,
            after: AnimationBehavior = .undefined
        ) {
            var issues: [Issue] = []
            let interpolations = AnimationInterpolations(
                names: interpolationNames, keys: times.count, width: width, issues: &issues)
            self.init(
                times: times, values: values, width: width, interpolations: interpolations, tangents: tangents,
                before: before, after: after, issues: issues)
        }

        package init(
            times: [Double], values: [Double], width: Int, interpolations: AnimationInterpolations,
            tangents: AnimationTangents = .none, before: AnimationBehavior = .undefined,
            after: AnimationBehavior = .undefined
        ) {
            self.init(
                times: times, values: values, width: width, interpolations: interpolations, tangents: tangents,
                before: before, after: after, issues: [])
        }

        private init(
            times: [Double], values: [Double], width: Int, interpolations: AnimationInterpolations,
            tangents: AnimationTangents, before: AnimationBehavior, after: AnimationBehavior, issues: [Issue]
        ) {
            var repair = CurveRepair(times: times, values: values, width: width, interpolations: interpolations)
            repair.issues = issues
            repair.settleCounts()
            repair.settleTangents(tangents)
            repair.settleTimes()
            self.width = repair.width
            self.times = NumberArray(repair.times)
            self.values = NumberArray(repair.values)
            self.interpolations = repair.interpolations
            incoming = repair.incoming
            outgoing = repair.outgoing
            oneDimensional = tangents.oneDimensional
            self.before = before
            self.after = after
            self.issues = repair.issues
        }

        /// The curve with its values and tangents in other places, multiplied; the times stay.
        ///
        /// - Parameter map: Of as many numbers as a value has.
        package func mapped(by map: ComponentMap) -> AnimationCurve {
            guard map.places.count == width else { return self }
            return AnimationCurve(
                self, values: NumberArray(values.array.mapped(by: map, stride: width)),
                incoming: incoming?.mapped(by: map),
                outgoing: outgoing?.mapped(by: map))
        }

        private init(
            _ other: AnimationCurve, values: NumberArray<Double>, incoming: TangentList?, outgoing: TangentList?
        ) {
            width = other.width
            times = other.times
            self.values = values
            interpolations = other.interpolations
            before = other.before
            after = other.after
            issues = other.issues
            self.incoming = incoming
            self.outgoing = outgoing
            oneDimensional = other.oneDimensional
        }

        /// The same curve with its numbers where `keep` puts them.
        package func keepingNumbers(_ keep: ([Double]) -> NumberArray<Double>) -> AnimationCurve {
            var copy = self
            copy.times = keep(times.array)
            copy.values = keep(values.array)
            copy.incoming = incoming.map { $0.with(keep($0.numbers.array)) }
            copy.outgoing = outgoing.map { $0.with(keep($0.numbers.array)) }
            return copy
        }

        /// ``NumberArray/giveBack()`` of all its numbers.
        package func giveBack() {
            times.giveBack()
            values.giveBack()
            incoming?.numbers.giveBack()
            outgoing?.numbers.giveBack()
        }

        /// From the first key to the last, in seconds; `nil` without keys.
        public var timeRange: ClosedRange<Double>? {
            guard let first = times.first, let last = times.last else { return nil }
            return first...last
        }
    }
}

extension AnimationCurve {
    /// What was not as it should be in a sampler, and what was done. An `index` is that of the first such key as the
    /// document has them; a `count` is of all of them.
    package enum Issue: Sendable, Hashable {
        /// No key is left. The curve has no value at any time.
        case empty
        /// Values are not `width` a time; keys without both are left out.
        case countMismatch(times: Int, values: Int, width: Int)
        /// NaN or infinite; the key is left out.
        case timeNotFinite(index: Int, count: Int)
        /// Not later than the key before. Keys are sorted; those of one time keep their order.
        case timeNotIncreasing(index: Int, count: Int)
        /// Kept.
        case timeNegative(index: Int, count: Int)
        /// Read as linear.
        case interpolationsMissing
        /// Names end before the keys do; the last one holds on.
        case interpolationsTooFew(names: Int, keys: Int)
        /// One name a component; each key's first is taken.
        case interpolationPerComponent(width: Int)
        /// Read as linear. The name is the first such.
        case unknownInterpolation(name: String, count: Int)
        /// A BEZIER or HERMITE curve without tangents for every key; its segments are linear.
        case missingTangents(Dae.AnimationInterpolation)
        /// More or fewer numbers than any layout has; the layout that they reach for is taken.
        case tangentCountMismatch(numbers: Int, keys: Int, width: Int)
        /// The layout from before 1.4.1: values without times, which are then a third of the segment.
        case tangentLayout1D
    }
}

// Three layouts are in use. The specification counts a key's tangent as its time, then one value for each component;
// exporters of whole vectors write a pair of time and value for each component; before 1.4.1 there was no time at all.
// For a scalar the first two are the same.

extension Dae {
    /// The tangents of a curve as the document has them: flat, key after key.
    package struct AnimationTangents: Sendable, Hashable {
        /// What a one-dimensional BEZIER tangent is.
        ///
        /// The specification's later text can be read as control values. Every known file of this layout (COLLADA 1.4.0,
        /// ColladaMaya up to 2.03) has distances: a third of the way along a straight line, 0 where the curve is flat.
        package enum OneDimensional: Sendable, Hashable {
            /// Distance from the key to its control value: added for an outgoing tangent, taken off for an incoming one.
            case distances
            /// The control value itself.
            case controlValues
        }

        package var incoming: [Double]
        package var outgoing: [Double]
        /// Values a key, from the accessor; `nil` to find it by the count.
        package var incomingStride: Int?
        package var outgoingStride: Int?
        package var oneDimensional: OneDimensional

        package init(
            incoming: [Double], outgoing: [Double], incomingStride: Int? = nil, outgoingStride: Int? = nil,
            oneDimensional: OneDimensional = .distances
        ) {
            self.incoming = incoming
            self.outgoing = outgoing
            self.incomingStride = incomingStride
            self.outgoingStride = outgoingStride
            self.oneDimensional = oneDimensional
        }

        package static let none = AnimationTangents(incoming: [], outgoing: [])
    }
}

/// One side's tangents with their layout found out. Holds at least `stride` values for every key of its curve.
struct TangentList: Sendable, Hashable {
    enum Layout: Sendable, Hashable {
        /// v1 … vw
        case values
        /// time v1 … vw
        case timeThenValues
        /// time v1 time v2 … time vw
        case pairs

        /// - Parameter width: At most the length of an array, so that its double is a number.
        func stride(width: Int) -> Int {
            switch self {
            case .values: width
            case .timeThenValues: width + 1
            case .pairs: width * 2
            }
        }
    }

    private(set) var numbers: NumberArray<Double>
    let layout: Layout
    let width: Int

    /// `nil` when the numbers do not reach for `keys` keys of any layout.
    init?(_ numbers: [Double], stride: Int?, keys: Int, width: Int) {
        guard keys > 0, width > 0, width <= numbers.count else { return nil }
        func fits(_ layout: Layout) -> Bool { layout.stride(width: width) <= numbers.count / keys }
        // Pairs before the others, so that a scalar's two numbers are one name.
        let layouts: [Layout] = [.pairs, .timeThenValues, .values]
        let claimed = stride.flatMap { stride in layouts.first { $0.stride(width: width) == stride && fits($0) } }
        guard let found = claimed ?? layouts.first(where: fits) else { return nil }
        layout = found
        self.width = width
        self.numbers = NumberArray(numbers)
    }

    /// The same with other numbers.
    func with(_ numbers: NumberArray<Double>) -> TangentList {
        var copy = self
        copy.numbers = numbers
        return copy
    }

    /// Time (`nil` in the layout without) and value for one component at one key.
    func tangent(key: Int, component: Int) -> (time: Double?, value: Double) {
        switch layout {
        case .values:
            return (nil, numbers[key * width + component])
        case .timeThenValues:
            let first = key * (width + 1)
            return (numbers[first], numbers[first + 1 + component])
        case .pairs:
            let first = (key * width + component) * 2
            return (numbers[first], numbers[first + 1])
        }
    }

    /// With the keys that `order` names, in its order.
    func reordered(_ order: [Int]) -> TangentList {
        with(NumberArray(numbers.array.rows(order, width: layout.stride(width: width))))
    }
}

extension TangentList {
    /// With the values in other places, multiplied; times go with the values they stand before.
    func mapped(by map: ComponentMap) -> TangentList {
        guard map.places.count == width else { return self }
        var moved = numbers.array
        switch layout {
        case .values: moved = moved.mapped(by: map, stride: width)
        case .timeThenValues: moved = moved.mapped(by: map, stride: width + 1, from: 1)
        case .pairs:
            moved = moved.mapped(by: map, stride: width * 2, from: 1, step: 2)
            for (place, target) in map.places.enumerated() where place != target {
                for key in 0..<numbers.count / (width * 2) {
                    moved[(key * width + target) * 2] = numbers[(key * width + place) * 2]
                }
            }
        }
        return with(NumberArray(moved))
    }
}

extension [Double] {
    /// Rows of `stride` numbers with some of each moved and multiplied: those from `start` on, `step` apart. What is
    /// behind the last whole row stays.
    func mapped(by map: ComponentMap, stride: Int, from start: Int = 0, step: Int = 1) -> [Double] {
        var copy = self
        for row in 0..<count / stride {
            let first = row * stride + start
            for (place, (target, factor)) in zip(map.places, map.factors).enumerated() {
                copy[first + target * step] = self[first + place * step] * factor
            }
        }
        return copy
    }

    /// The rows of `width` numbers that `order` names, in its order.
    func rows(_ order: [Int], width: Int) -> [Double] {
        var picked: [Double] = []
        picked.reserveCapacity(order.count * width)
        for row in order { picked.append(contentsOf: self[row * width..<(row + 1) * width]) }
        return picked
    }
}
