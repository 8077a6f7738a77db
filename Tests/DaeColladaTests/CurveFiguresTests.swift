import DaeCollada
import DaeDiagnostics
import Testing

/// Where only figures are wanted, curves are not kept; nothing may be told otherwise for that.
@Suite struct CurveFiguresTests {
    private static func source(_ id: String, _ values: [Double], width: Int = 1) -> String {
        let numbers = values.map { "\($0)" }.joined(separator: " ")
        return """
            <source id='\(id)'><float_array id='\(id)-array' count='\(values.count)'>\(numbers)</float_array>
            <technique_common><accessor source='#\(id)-array' count='\(values.count / width)' stride='\(width)'>
            <param name='X' type='\(width == 16 ? "float4x4" : "float")'/></accessor></technique_common></source>
            """
    }

    private static func sampler(_ inputs: [(String, String)]) -> String {
        "<sampler id='s'>" + inputs.map { "<input semantic='\($0)' source='#\($1)'/>" }.joined() + "</sampler>"
    }

    private static func document(_ animations: String...) -> String {
        """
        <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><library_animations>
        \(animations.map { "<animation>\($0)</animation>" }.joined())
        </library_animations></COLLADA>
        """
    }

    private static let times = (0..<60).map { Double($0) / 24 }
    private static let plain =
        source("a-input", times) + source("a-output", Array(repeating: 0.5, count: 960), width: 16)
        + sampler([("INPUT", "a-input"), ("OUTPUT", "a-output")])

    private func expectSame(_ text: String, _ comment: Comment) {
        let whole = Outcome(text)
        var options = ColladaOptions()
        options.retention = .figures
        for chunk in [1 << 16, 11] {
            let bare = Outcome(Array(text.utf8), chunk: chunk, options: options)
            #expect(bare.findings == whole.findings, comment)
            #expect(bare.document.animations.map(\.span) == whole.document.animations.map(\.span), comment)
        }
    }

    @Test func valuesAndTangents() {
        expectSame(Self.document(Self.plain), "a matrix a key")
        let tangents = Array(repeating: 0.1, count: 120)
        let bezier =
            Self.source("b-input", Self.times) + Self.source("b-output", Self.times)
            + Self.source("b-intangent", tangents, width: 2) + Self.source("b-Outtangent", tangents, width: 2)
            + "<source id='b-i'><Name_array count='60'>\(Array(repeating: "BEZIER", count: 60).joined(separator: " "))</Name_array></source>"
            + Self.sampler([
                ("INPUT", "b-input"), ("OUTPUT", "b-output"), ("IN_TANGENT", "b-intangent"),
                ("OUT_TANGENT", "b-Outtangent"), ("INTERPOLATION", "b-i"),
            ])
        expectSame(Self.document(bezier, Self.plain), "tangents")
        expectSame(Self.document(bezier + "<animation>\(Self.plain)</animation>"), "one within another")
    }

    @Test func whatIsWrongWithThemIsTold() {
        let odd =
            Self.source("a-input", Self.times)
            + Self.source("a-output", [1, 2, 3, 4]).replacing("1.0 2.0", with: "NaN x").replacing("'4'", with: "'5'")
            + Self.sampler([("INPUT", "a-input"), ("OUTPUT", "a-output")])
        expectSame(Self.document(odd), "no number, and none at all")
        let few =
            Self.source("c-input", Self.times) + Self.source("c-output", Array(Self.times.dropLast()))
            + Self.sampler([("INPUT", "c-input"), ("OUTPUT", "c-output")])
        expectSame(Self.document(few), "fewer values than times")
    }

    @Test func timesAndValuesOfAnyNameAndPlace() {
        let turned =
            Self.source("d-first", Self.times) + Self.source("d-output", Self.times.reversed())
            + Self.sampler([("INPUT", "d-output"), ("OUTPUT", "d-first")])
        expectSame(Self.document(turned), "times that are called output")
        let first = Self.source("e-input", Self.times) + Self.source("e-output", Self.times)
        let second = Self.source("f-input", Self.times) + Self.sampler([("INPUT", "f-input"), ("OUTPUT", "e-output")])
        expectSame(Self.document(first, second), "values of another animation")
        let unused = Self.plain + Self.source("g-output", Self.times)
        expectSame(Self.document(unused), "values that nobody beside them reads")
    }
}
