/// How a curve goes from one key to the next. The key at a segment's start decides.
public enum AnimationInterpolation: String, Sendable, Hashable, CaseIterable {
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
public enum AnimationInterpolations: Sendable, Hashable {
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
