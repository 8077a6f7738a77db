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
    /// `position` is that of the end tag's `<` (of an empty element: of its only tag).
    func endElement(at position: XMLPosition) -> XMLFlow
}

extension XMLEventHandler {
    public var takesAnyLineEnd: Bool { false }
}
