import SceneModel

/// The address of what a channel moves: an id, sids on the way down from it, and the part of what they lead to.
///
/// - Source: COLLADA 1.4.1 and 1.5.0, chapter 3, "Address Syntax".
struct TargetAddress {
    let id: String
    let sids: [String]
    /// The ways to read the last step: a sid may hold dots and brackets itself, so the longest comes first.
    let endings: [Ending]
    /// Whether it begins with a `#`, as the address of an element does.
    let hasHash: Bool  // a fact about the text

    struct Ending {
        let name: String
        let member: AnimationMember
    }

    /// `nil` for an empty address.
    init?(_ text: String) {
        // Some exporters write the address of an id as everywhere else.
        hasHash = text.utf8.first == UInt8(ascii: "#")
        var steps = (hasHash ? text.utf8.dropFirst() : text.utf8[...])
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let last = steps.popLast(), !last.isEmpty else { return nil }
        endings = Self.endings(of: last)
        id = steps.first ?? ""
        sids = Array(steps.dropFirst())
    }

    /// No member is longer than two numbers in brackets: what is before them is part of the sid.
    private static let longestMember = 48

    private static func endings(of step: String) -> [Ending] {
        var endings = [Ending(name: step, member: .whole)]
        let letters = step.utf8
        var at = letters.endIndex
        for _ in 0..<longestMember where at > letters.startIndex {
            at = letters.index(before: at)
            guard letters[at] == UInt8(ascii: ".") || letters[at] == UInt8(ascii: "("), at > letters.startIndex else {
                continue
            }
            guard let member = AnimationMember(step[at...]) else { continue }
            endings.append(Ending(name: String(step[..<at]), member: member))
        }
        return endings
    }
}
