// Addresses of ids and sids, as channels and kinematics have them.

import DaeScene
import DaeXML

/// The address of what a channel moves: an id, sids on the way down from it, and the part of what they lead to.
///
/// - Source: COLLADA 1.4.1 and 1.5.0, chapter 3, "Address Syntax".
struct TargetAddress {
    let id: String
    let sids: [String]
    /// The ways to read the last step: a sid may hold dots and brackets itself, so the longest comes first.
    let endings: [Ending]
    /// Whether it begins with a `#`, as the address of an element does.
    let hasHash: Bool

    struct Ending {
        let name: String
        let member: AnimationMember
    }

    /// `nil` for an empty address.
    init?(_ text: String) {
        // Some exporters write the address of an id as everywhere else.
        hasHash = text.utf8.first == UInt8(ascii: "#")
        var steps = Self.steps(of: text, from: hasHash ? 1 : 0)
        guard let last = steps.popLast(), !last.isEmpty else { return nil }
        endings = Self.endings(of: last)
        id = steps.first ?? ""
        sids = Array(steps.dropFirst())
    }

    /// What stands between slashes, of all bytes but the first few.
    private static func steps(of text: String, from first: Int) -> [String] {
        var text = text
        return text.withUTF8 { bytes in
            var steps: [String] = []
            var start = first
            for place in first..<bytes.count where bytes[place] == UInt8(ascii: "/") {
                steps.append(String(decoding: bytes[start..<place], as: UTF8.self))
                start = place + 1
            }
            steps.append(String(decoding: bytes[start...], as: UTF8.self))
            return steps
        }
    }

    /// No member is longer than two numbers in brackets: what is before them is part of the sid.
    private static let longestMember = 48

    /// Bytes of a step at which a member may begin, the last first.
    private static func memberPlaces(in step: String) -> [Int] {
        var step = step
        return step.withUTF8 { bytes in
            (max(1, bytes.count - longestMember)..<max(1, bytes.count)).reversed().filter { place in
                bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: "(")
            }
        }
    }

    private static func endings(of step: String) -> [Ending] {
        var endings = [Ending(name: step, member: .whole)]
        for place in memberPlaces(in: step) {
            let at = step.utf8.index(step.startIndex, offsetBy: place)
            guard let member = AnimationMember(step[at...]) else { continue }
            endings.append(Ending(name: String(step[..<at]), member: member))
        }
        return endings
    }
}
