/// Where two values of one type differ first.
enum ValueDifference {
    /// - Returns: The path to it and both sides, such as `nodes[2].matrix: … is not …`; `nil` where they are the same,
    ///   also in the sign of a zero.
    static func first(_ left: Any, _ right: Any, at path: String = "") -> String? {
        let (leftMirror, rightMirror) = (Mirror(reflecting: left), Mirror(reflecting: right))
        if left is any SIMD || leftMirror.children.isEmpty || rightMirror.children.isEmpty {
            let (leftText, rightText) = ("\(left)", "\(right)")
            return leftText == rightText ? nil : "\(path): \(leftText.prefix(200)) is not \(rightText.prefix(200))"
        }
        if leftMirror.displayStyle == .dictionary || leftMirror.displayStyle == .set {
            return first(sorted(leftMirror), sorted(rightMirror), at: path)
        }
        guard leftMirror.children.count == rightMirror.children.count else {
            return "\(path): \(leftMirror.children.count) parts are not \(rightMirror.children.count)"
        }
        for (index, pair) in zip(leftMirror.children, rightMirror.children).enumerated() {
            guard pair.0.label == pair.1.label else {
                return "\(path): \(pair.0.label ?? "") is not \(pair.1.label ?? "")"
            }
            let step = pair.0.label.map { "." + $0 } ?? "[\(index)]"
            if let found = first(pair.0.value, pair.1.value, at: path + step) { return found }
        }
        return nil
    }

    /// The parts of what has no order, in one that both sides have.
    private static func sorted(_ mirror: Mirror) -> [Any] {
        mirror.children.map(\.value).sorted { "\($0)" < "\($1)" }
    }
}
