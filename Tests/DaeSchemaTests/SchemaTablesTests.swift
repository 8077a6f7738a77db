import TestSupport
import Testing

@testable import DaeSchema

@Suite struct SchemaTablesTests {
    private static let versions: [(SchemaVersion, lenient: Bool)] = SchemaVersion.allCases.flatMap { version in
        [(version, true), (version, false)]
    }

    @Test(arguments: versions)
    func theTablesHaveEveryWayThatTheModelsHaveAndNoOther(version: SchemaVersion, lenient: Bool) throws {
        let models = ContentModels.models(for: version)
        var states = SchemaStates(models, lenient: lenient)
        // Twice, as most are asked for again and again.
        for (index, type) in Array(models.types.enumerated()) + Array(models.types.enumerated()) {
            let automaton: ContentAutomaton?
            switch type.content {
            case .children(let machine): automaton = machine.automaton
            case .empty: automaton = lenient ? type.lostContent?.automaton : nil
            case .simple, .anything: automaton = nil
            }
            let first = states.first(of: Int32(index))
            guard let automaton else {
                #expect(first < 0, "\(type.name)")
                continue
            }
            for (number, state) in automaton.states.enumerated() {
                let row = first + Int32(number)
                var isSame = states.isAccepting(row) == state.isAccepting
                let rest = state.edges.last { $0.name == nil }
                isSame = isSame && states.rest(from: row) == (rest.map { first + Int32($0.target) } ?? -1)
                for name in models.names.indices {
                    let edge = state.edges.first { $0.name?.index == name }
                    let found = states.edge(from: row, Int32(name))
                    isSame = isSame && found?.declaration == edge.map { Int32($0.declaration.index) }
                    isSame = isSame && found?.type == edge.map { Int32(models[$0.declaration].type.index) }
                    isSame = isSame && found?.target == edge.map { first + Int32($0.target) }
                    isSame = isSame && found?.bit == edge.map { $0.child < 64 ? 1 << UInt64($0.child) : 0 }
                }
                #expect(isSame, "\(type.name), state \(number)")
            }
        }
    }

    @Test(arguments: versions)
    func theTablesHaveTheAttributesOfEachTypeAndNoOther(version: SchemaVersion, lenient: Bool) throws {
        let tables = SchemaTables.tables(for: version, lenient: lenient)
        for (index, type) in tables.models.types.enumerated() {
            var required: UInt64 = 0
            for name in tables.models.names.indices {
                let place = type.attributes.firstIndex { $0.name.index == name }
                let found = tables.attribute(Int32(name), of: tables.types[index])
                #expect(found?.bit == place.map { 1 << UInt64($0 & 63) }, "\(type.name)")
                #expect(found?.type == place.map { type.attributes[$0].type })
                if let place, type.attributes[place].use == .required { required |= found?.bit ?? 0 }
            }
            #expect(tables.types[index].required == required)
        }
    }

    /// Texts that are nearly of many types.
    private static let texts: [String] = {
        var texts = ["", "INF", "-INF", "NaN", "inf", "1e", "1e5.", "NODE", "JOINT", "node", "NODE ", "#", "#a b", "é"]
        var random = SeededNumbers(seed: 7)
        for alphabet in ["0123456789+-.eE ", "abzAZ_09.-:/#@[`{ \u{7F}", "0123456789", "\u{e9}aZ_"] {
            let characters = Array(alphabet)
            for _ in 0..<2000 {
                let length = Int(random.next() % 24)
                texts.append(
                    String((0..<length).map { _ in characters[Int(random.next() % UInt64(characters.count))] }))
            }
        }
        return texts
    }()

    @Test(arguments: SchemaVersion.allCases)
    func whatIsSurelyOfATypeIsOfIt(version: SchemaVersion) throws {
        let tables = SchemaTables.tables(for: version, lenient: true)
        let models = tables.models
        var words: [ShortText.Word] = []
        let forms = models.simpleTypes.indices.map { PlainForm(SimpleType.ID(index: $0), models, &words) }
        for (index, form) in forms.enumerated() {
            var texts = Self.texts
            if case .values(_, let values) = models.simpleTypes[index].form {
                texts += values + values.map { $0 + "x" } + values.map { String($0.dropLast()) }
            }
            for text in texts {
                let bytes = Array(text.utf8)
                guard form.isSurely(bytes.span, words) else { continue }
                let fault = models.fault(in: bytes.span, of: SimpleType.ID(index: index))
                #expect(fault == nil, "\(models.simpleTypes[index].name) \(text.debugDescription)")
            }
        }
    }

    @Test func plainTextsAreSureWithoutACloserLook() throws {
        let tables = SchemaTables.tables(for: .collada14, lenient: true)
        for (element, attribute, text) in [
            ("node", "type", "NODE"), ("node", "id", "Node_1-x.y"), ("input_local", "source", "#Cube-mesh-positions"),
            ("accessor", "count", "123456789"),
        ] {
            let type = try #require(tables.models.types.firstIndex { $0.name == element })
            let name = try #require(tables.models.name(attribute))
            let rule = try #require(tables.attribute(Int32(name.index), of: tables.types[type]))
            let bytes = Array(text.utf8)
            let isSure = rule.form.isSurely(bytes.span, tables.words)
            #expect(isSure, "\(element) \(attribute)")
        }
    }

    @Test func blankIsWhatHasNothingButWhiteSpace() {
        for length in 0..<40 {
            for odd in -1..<length {
                for (newline, byte, expected) in [
                    (true, 0x20, true), (true, 0x09, true), (false, 0x0D, true), (true, 0x0B, false),
                    (false, 0x41, false), (true, 0xA0, false),
                ] as [(Bool, UInt8, Bool)] {
                    var bytes = [UInt8](repeating: 0x20, count: length)
                    if newline, length > 0 { bytes[0] = 0x0A }
                    if odd >= 0 { bytes[odd] = byte }
                    let isBlank = ShortText.isBlank(bytes.span)
                    #expect(isBlank == (odd < 0 || expected))
                }
            }
        }
    }

    @Test func aNameIsPlainWhereEachByteIs() {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8)
        for length in Array(1..<20) + [31, 32, 33] {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: UInt8(ascii: "q"), count: length)
                    bytes[place] = byte
                    let mayBegin = !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) && byte > UInt8(ascii: ".")
                    let expected = plain.contains(byte) && (place > 0 || mayBegin)
                    let found = ShortText.isName(bytes.span)
                    #expect(found == expected, "\(byte) at \(place) of \(length)")
                }
            }
        }
    }
}
