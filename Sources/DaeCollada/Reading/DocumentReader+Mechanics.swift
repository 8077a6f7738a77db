// What physics, kinematics and breps share: numbers that may be without limit, words for yes and no, placements.

import DaeDiagnostics
import DaeNumbers
import DaeScene
import DaeSchema

extension DocumentReader {
    /// The numbers in an element's text, which may be infinite but no NaN; reported when they are not as many as `counts`.
    ///
    /// - Returns: `nil` when there are too few; no more than the most that are wanted.
    mutating func reals(in view: ElementView?, _ counts: ClosedRange<Int>) -> [Double]? {
        guard let view else { return nil }
        few.decode(view.trimmedBytes)
        few.finish(expectedCount: repairs ? counts.upperBound : nil)
        let issues = few.issues
        let values = few.takeValues()
        for issue in issues where issue.kind != .nonFinite || values.contains(where: \.isNaN) {
            add(issue, at: view.place)
        }
        if !counts.contains(values.count) {
            let expected = counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "\(counts)"
            log.add(
                .schemaListLength, at: view.place,
                "<\(view.name.rawValue)> has \(values.count) values; expected \(expected)",
                arguments: [.init("values", "\(values.count)"), .init("expected", expected)])
        }
        guard values.count >= counts.lowerBound, !values.contains(where: \.isNaN) else { return nil }
        return Array(values.prefix(counts.upperBound))
    }

    mutating func real(in view: ElementView?) -> Double? { reals(in: view, 1...1)?.first }

    mutating func pair(in view: ElementView?) -> SIMD2<Double>? {
        reals(in: view, 2...2).map { SIMD2($0[0], $0[1]) }
    }

    mutating func vector(in view: ElementView?) -> SIMD3<Double>? {
        reals(in: view, 3...3).map { SIMD3($0[0], $0[1], $0[2]) }
    }

    mutating func quadruple(in view: ElementView?) -> SIMD4<Double>? {
        reals(in: view, 4...4).map { SIMD4($0[0], $0[1], $0[2], $0[3]) }
    }

    mutating func bool(in view: ElementView?) -> Bool? {
        guard let view else { return nil }
        let text = view.text
        if let value = Self.bools[text] { return value }
        if let value = mended(text, "<\(view.name.rawValue)>", in: view) { return value }
        log.add(
            .schemaInvalidEnum, at: view.place,
            "<\(view.name.rawValue)> is \(text.quoted(40)); expected true or false; left out",
            arguments: [.init("text", text)])
        return nil
    }

    mutating func bool(_ attribute: AttributeName, of view: ElementView) -> Bool {
        guard let text = view.attribute(attribute)?.trimmed else { return false }
        return Self.bools[text]
            ?? mended(text, "the \(attribute.rawValue) of <\(view.name.rawValue)>", in: view) ?? false
    }

    /// - Parameter what: Whose text it is.
    private mutating func mended(_ text: String, _ what: String, in view: ElementView) -> Bool? {
        guard repairs, let value = Self.bools[text.lowercased()] else { return nil }
        log.add(
            .quirkBooleanCase, at: view.place, "\(what) is \(text.quoted()); it was read as \(value)",
            arguments: [.init("found", text), .init("expected", "\(value)")], fix: "write \(value)")
        return value
    }

    private static let bools = ["true": true, "1": true, "false": false, "0": false]

    mutating func integer(in view: ElementView?) -> Int? {
        guard let view, let value = real(in: view) else { return nil }
        guard let number = Int(exactly: value) else {
            log.add(
                .schemaInvalidNumber, at: view.place,
                "<\(view.name.rawValue)> is \(view.text.quoted(40)); expected a whole number",
                arguments: [.init("text", view.text)])
            return nil
        }
        return number
    }

    /// The translations and rotations directly within, in order.
    mutating func placement(in view: ElementView) -> [Transform] {
        view.children.compactMap { child in
            let transform = decodeTransform(child)
            if let transform, transform.matrix == nil {
                log.add(
                    .nodeRotateAxisZero, at: child.place, "<\(child.name.rawValue)> has no direction; it was left out")
            }
            return transform
        }
    }

    /// The text of an element as a reference.
    mutating func reference(in view: ElementView) -> ColladaDocument.Reference {
        ColladaDocument.Reference(text: view.text, position: view.position)
    }
}
