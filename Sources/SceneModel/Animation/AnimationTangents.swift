// Three layouts are in use. The specification counts a key's tangent as its time, then one value for each component;
// exporters of whole vectors write a pair of time and value for each component; before 1.4.1 there was no time at all.
// For a scalar the first two are the same.

/// The tangents of a curve as the document has them: flat, key after key.
public struct AnimationTangents: Sendable, Hashable {
    /// What a one-dimensional BEZIER tangent is.
    ///
    /// The specification's later text can be read as control values. Every known file of this layout (COLLADA 1.4.0,
    /// ColladaMaya up to 2.03) has distances: a third of the way along a straight line, 0 where the curve is flat.
    public enum OneDimensional: Sendable, Hashable {
        /// Distance from the key to its control value: added for an outgoing tangent, taken off for an incoming one.
        case distances
        /// The control value itself.
        case controlValues
    }

    public var incoming: [Double]
    public var outgoing: [Double]
    /// Values a key, from the accessor; `nil` to tell it by the count.
    public var incomingStride: Int?
    public var outgoingStride: Int?
    public var oneDimensional: OneDimensional

    public init(
        incoming: [Double], outgoing: [Double], incomingStride: Int? = nil, outgoingStride: Int? = nil,
        oneDimensional: OneDimensional = .distances
    ) {
        self.incoming = incoming
        self.outgoing = outgoing
        self.incomingStride = incomingStride
        self.outgoingStride = outgoingStride
        self.oneDimensional = oneDimensional
    }

    public static let none = AnimationTangents(incoming: [], outgoing: [])
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

    private(set) var numbers: [Double]
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
        self.numbers = numbers
    }

    /// The same with other numbers.
    func with(_ numbers: [Double]) -> TangentList {
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
        var copy = self
        copy.numbers = numbers.rows(order, width: layout.stride(width: width))
        return copy
    }
}

extension TangentList {
    /// With the values in other places, multiplied; times go with the values they stand before.
    func mapped(by map: ComponentMap) -> TangentList {
        guard map.places.count == width else { return self }
        var copy = self
        switch layout {
        case .values: copy.numbers = numbers.mapped(by: map, stride: width)
        case .timeThenValues: copy.numbers = numbers.mapped(by: map, stride: width + 1, from: 1)
        case .pairs:
            copy.numbers = numbers.mapped(by: map, stride: width * 2, from: 1, step: 2)
            for (place, target) in map.places.enumerated() where place != target {
                for key in 0..<numbers.count / (width * 2) {
                    copy.numbers[(key * width + target) * 2] = numbers[(key * width + place) * 2]
                }
            }
        }
        return copy
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
