/// Whether reading goes on after an event.
public enum XMLFlow {
    case proceed
    /// It goes on, and text that comes before the next tag need not be told.
    case passText
    /// It goes on, and text need not be told that is nothing but the indentation of the next tag.
    case passIndents
    case stop
}

/// Receives the events of one document, in its order. Everything handed over is valid during the call only.
public protocol XMLEventHandler: AnyObject {
    /// Whether it is all one how lines end in the text that comes now: they may then be as they are written.
    var takesAnyLineEnd: Bool { get }
    /// `position` is that of the tag's `<`.
    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow
    /// A piece of the text of the innermost open element, as UTF-8, cut anywhere between characters.
    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow
    /// All the text of the innermost open element: its end tag is what comes next, unless that is malformed. Nothing but
    /// whether that is known sets it apart from ``text(_:at:)``, so it may come as pieces as well.
    func wholeText(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow
    /// `position` is that of the end tag's `<` (of an empty element: of its only tag).
    func endElement(at position: XMLPosition) -> XMLFlow

    // What is within an element of a name that is said to be repeated (``XMLVocabulary``) may be byte by byte what it was
    // within one before. A handler that says that it can do again what it did then is spared its events.

    /// How much it had to remark so far; what makes it remark something is not repeated.
    var remarks: Int { get }
    /// Whether it can repeat the content of the element that ended last, and its end.
    ///
    /// - Parameters:
    ///   - number: By which it will be asked: one more than that of the last one for which it said yes, from 0.
    ///   - start: Where the content begins.
    func remember(content number: Int, from start: XMLPosition) -> Bool
    /// Does for the innermost open element, of which nothing but its start was told, what it did for a content and the
    /// end tag behind it.
    ///
    /// - Parameters:
    ///   - start: Where this content begins.
    ///   - end: That of its end tag's `<`.
    /// - Returns: `nil` where it did nothing and wants the events.
    func repeatContent(_ number: Int, from start: XMLPosition, to end: XMLPosition) -> XMLFlow?
}

extension XMLEventHandler {
    public var takesAnyLineEnd: Bool { false }
    public func wholeText(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        text(bytes, at: position)
    }
    public var remarks: Int { 0 }
    public func remember(content number: Int, from start: XMLPosition) -> Bool { false }
    public func repeatContent(_ number: Int, from start: XMLPosition, to end: XMLPosition) -> XMLFlow? { nil }
}
