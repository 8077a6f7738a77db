// What is not read is kept as it stands, as far as there is room.

import DaeXML

/// What of a document is kept as it stands: elements that are passed over, one after the other, and profiles beside being
/// read.
struct KeptElements {
    /// Bytes of one element, and of all of a document, that are kept.
    private static let elementLimit = 4 << 20
    private static let limit = 64 << 20
    /// Levels that are kept; a value of more could not be given back without as many calls within each other.
    static let mostLevels = 256

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

/// Builds one raw element from the events within it.
private struct RawElementBuilder {
    /// What an element takes beside its texts.
    private static let elementCost = 96

    private var open: [RawElement] = []
    private var texts: [[UInt8]] = []
    private(set) var bytes = 0
    /// Whether a level too deep was left out.
    private(set) var isCut = false
    private let limit: Int

    /// - Parameter limit: Bytes of names, values and texts that are kept; more are passed over.
    init(limit: Int) {
        self.limit = limit
    }

    mutating func start(_ name: XMLName, _ attributes: XMLAttributes) {
        var element = RawElement(name: name.text)
        bytes += Self.elementCost + element.name.utf8.count
        for index in 0..<attributes.count {
            guard let key = attributes.name(at: index)?.text else { continue }
            let value = attributes.value(at: index)
            bytes += key.utf8.count + value.count
            guard bytes <= limit else { break }
            element.attributes.append(.init(name: key, value: String(decoding: value, as: UTF8.self)))
        }
        open.append(element)
        texts.append([])
    }

    mutating func text(_ text: UnsafeRawBufferPointer) {
        bytes += text.count
        guard bytes <= limit, !texts.isEmpty else { return }
        texts[texts.count - 1].append(contentsOf: text)
    }

    /// The whole element when its own end was reached.
    mutating func end() -> RawElement? {
        guard var element = open.popLast(), let text = texts.popLast() else { return nil }
        element.text = Self.trimmed(text)
        guard !open.isEmpty else { return element }
        guard bytes <= limit else { return nil }
        if open.count < KeptElements.mostLevels { open[open.count - 1].children.append(element) } else { isCut = true }
        return nil
    }

    private static func trimmed(_ text: [UInt8]) -> String {
        var bytes = text[...]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
