// What is not read is kept as it stands, as far as there is room.

import DaeXML

/// What of a document is kept as it stands: elements that are passed over, one after the other, and profiles beside being
/// read.
struct KeptElements {
    /// Bytes of one element, and of all of a document, that are kept.
    private static let elementLimit = 4 << 20
    private static let limit = 64 << 20

    private var element = RawElementBuilder(limit: 0)
    private var profile = RawElementBuilder(limit: 0)
    /// The record for which a profile is being kept, its parent.
    private(set) var profileOwner: Int?
    /// Of those that have ended.
    private var bytes = 0
    /// Whether the last that ended was too deep to be kept as a whole.
    private(set) var isCut = false

    var hasRoom: Bool { bytes < Self.limit }

    mutating func begin(_ name: XMLName, _ attributes: XMLAttributes) {
        element = RawElementBuilder(limit: Self.elementLimit)
        element.start(name, attributes)
    }

    mutating func start(_ name: XMLName, _ attributes: XMLAttributes) { element.start(name, attributes) }

    mutating func text(_ bytes: UnsafeRawBufferPointer) { element.text(bytes) }

    /// The whole element when its own end was reached.
    mutating func end() -> RawElement? {
        guard let ended = element.end() else { return nil }
        (bytes, isCut) = (bytes + element.bytes, element.isCut)
        return ended
    }

    mutating func beginProfile(_ name: XMLName, _ attributes: XMLAttributes, for owner: Int) {
        profile = RawElementBuilder(limit: Self.elementLimit)
        profile.start(name, attributes)
        profileOwner = owner
    }

    mutating func startInProfile(_ name: XMLName, _ attributes: XMLAttributes) { profile.start(name, attributes) }

    mutating func textInProfile(_ bytes: UnsafeRawBufferPointer) { profile.text(bytes) }

    /// The whole profile and its owner when its own end was reached.
    mutating func endInProfile() -> (RawElement, owner: Int)? {
        guard let ended = profile.end(), let owner = profileOwner else { return nil }
        (bytes, isCut) = (bytes + profile.bytes, profile.isCut)
        profileOwner = nil
        return (ended, owner)
    }
}
