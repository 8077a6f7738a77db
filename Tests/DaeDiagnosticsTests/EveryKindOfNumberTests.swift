import TestSupport
import Testing

@testable import DaeDiagnostics

@Suite struct EveryKindOfNumberTests {
    @Test func everyKindOfNumberIsWrittenAndReadsBackTheSame() {
        var wrong: [Double] = []
        for value in EveryKindOfNumber.all {
            let text = String(decoding: JSONValue.real(value).text(.compact), as: UTF8.self)
            if value.isFinite ? Double(text) != value : text != "null" { wrong.append(value) }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
    }
}
