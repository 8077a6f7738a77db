import NumberDecoding
import XMLReader

/// Takes a document's events and does nothing with them. A class since handlers are.
final class ElementCounter: XMLEventHandler {
    static let vocabulary = XMLVocabulary([])
    private(set) var elements = 0

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        elements += 1
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow { .proceed }

    func endElement(at position: XMLPosition) -> XMLFlow { .proceed }
}

/// Decodes the text of number arrays and forgets the numbers. A class since handlers are.
final class ArrayDecoder: XMLEventHandler {
    private static let realNames = ["float_array"]
    static let vocabulary = XMLVocabulary(realNames + ["int_array", "p", "h", "v", "vcount"])

    private enum Kind {
        case other, reals, integers
    }

    private(set) var numbers = 0
    private var kind = Kind.other
    private var reals = NumberDecoder<Double>()
    private var integers = NumberDecoder<Int32>()

    func startElement(_ name: XMLName, attributes: XMLAttributes, at position: XMLPosition) -> XMLFlow {
        kind = name.number.map { $0 < Self.realNames.count ? .reals : .integers } ?? .other
        return .proceed
    }

    func text(_ bytes: UnsafeRawBufferPointer, at position: XMLPosition) -> XMLFlow {
        switch kind {
        case .other: break
        case .reals:
            reals.decode(bytes)
            numbers += reals.values.count
            reals.removeValues()
        case .integers:
            integers.decode(bytes)
            numbers += integers.values.count
            integers.removeValues()
        }
        return .proceed
    }

    func endElement(at position: XMLPosition) -> XMLFlow {
        switch kind {
        case .other: break
        case .reals:
            reals.finish(expectedCount: nil)
            numbers += reals.values.count
            _ = reals.takeValues()
        case .integers:
            integers.finish(expectedCount: nil)
            numbers += integers.values.count
            _ = integers.takeValues()
        }
        kind = .other
        return .proceed
    }
}
