import DaeDiagnostics
import DaeXML
import Testing

@Suite struct BudgetTests {
    private func nested(_ depth: Int) -> [UInt8] {
        Array((String(repeating: "<b>", count: depth) + String(repeating: "</b>", count: depth)).utf8)
    }

    @Test(arguments: [1, 1000, 1 << 20])
    func elementsMayNest4096DeepAndNotDeeper(size: Int) {
        #expect(Reading.outcome(nested(4096), chunk: size).failure == nil)
        let refused = Reading.outcome(nested(4097), chunk: size)
        #expect(refused.failure?.code == .xmlDepthExceeded)
        #expect(refused.failure?.place == Place(line: 1, column: 12_289, byte: 12_288))
        #expect(refused.starts.count == 4096)
    }

    @Test func anEmptyElementCountsAsALevelToo() {
        var limits = XMLLimits()
        limits.depth = 2
        #expect(Reading.outcome(Array("<a><b/><b/></a>".utf8), limits: limits).failure == nil)
        let refused = Reading.outcome(Array("<a><b><c/></b></a>".utf8), limits: limits)
        #expect(refused.failure?.code == .xmlDepthExceeded)
        #expect(refused.starts == ["a", "b"])
    }

    private func element(attributes: Int) -> [UInt8] {
        Array(("<a><b" + (0..<attributes).map { " x\($0)='='" }.joined() + "/></a>").utf8)
    }

    @Test(arguments: [1, 1000, 1 << 20])
    func anElementMayHave256AttributesAndNotMore(size: Int) {
        #expect(Reading.outcome(element(attributes: 256), chunk: size).failure == nil)
        let refused = Reading.outcome(element(attributes: 257), chunk: size)
        #expect(refused.failure?.code == .xmlSizeExceeded)
        #expect(refused.failure?.place == Place(line: 1, column: 4, byte: 3))
        #expect(refused.starts == ["a"])
    }

    /// A document whose second tag takes so many bytes.
    private func tag(bytes: Int) -> [UInt8] {
        Array("<a><b id='".utf8) + [UInt8](repeating: UInt8(ascii: ">"), count: bytes - 10) + Array("'/></a>".utf8)
    }

    @Test(arguments: [1, 100, 1 << 20])
    func aTagMayTakeItsBudgetAndNotMore(size: Int) {
        var limits = XMLLimits()
        limits.tagBytes = 1000
        let fits = tag(bytes: 1000)
        let cuts = Array(stride(from: size, to: fits.count, by: size))
        #expect(Reading.outcome(fits, cuts: cuts, limits: limits).failure == nil)
        let refused = Reading.outcome(tag(bytes: 1001), cuts: cuts, limits: limits)
        #expect(refused.failure?.code == .xmlSizeExceeded)
        #expect(refused.failure?.place.byte == 3)
        #expect(refused.starts == ["a"])
    }

    @Test func theDefaultBudgetOfATagIsOneMebibyte() {
        #expect(Reading.outcome(tag(bytes: 1 << 20)).failure == nil)
        #expect(Reading.outcome(tag(bytes: 1 << 20 | 1)).failure?.code == .xmlSizeExceeded)
    }

    @Test func aTagThatNeverEndsIsRefused() {
        let running = Array("<a><b id='".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 21)
        for size in [1 << 10, 1 << 22] {
            let outcome = Reading.outcome(running, chunk: size)
            #expect(outcome.failure?.code == .xmlSizeExceeded)
            #expect(outcome.starts == ["a"])
        }
    }

    @Test(arguments: [("<!--", "-->"), ("<?p ", "?>")], [1, 100, 1 << 20])
    func aCommentOrInstructionMayTakeItsBudgetAndNotMore(marks: (String, String), size: Int) {
        var limits = XMLLimits()
        limits.commentBytes = 500
        let room = 500 - marks.0.utf8.count - marks.1.utf8.count
        for (count, fits) in [(room, true), (room + 1, false)] {
            let document = Array("<a>\n\(marks.0)\(String(repeating: "y", count: count))\(marks.1)</a>".utf8)
            let cuts = Array(stride(from: size, to: document.count, by: size))
            let outcome = Reading.outcome(document, cuts: cuts, limits: limits)
            #expect(outcome.failure?.code == (fits ? nil : .xmlSizeExceeded))
            #expect(outcome.failure?.place == (fits ? nil : Place(line: 2, column: 1, byte: 4)))
            #expect(outcome.starts == ["a"])
        }
    }

    @Test func theDefaultBudgetOfACommentIsEightMebibytes() {
        let body = [UInt8](repeating: UInt8(ascii: "y"), count: 8 << 20)
        let outcome = Reading.outcome(Array("<a><!--".utf8) + body + Array("--></a>".utf8))
        #expect(outcome.failure?.code == .xmlSizeExceeded)
        let short = body.dropLast(7)
        #expect(Reading.outcome(Array("<a><!--".utf8) + short + Array("--></a>".utf8)).failure == nil)
    }

    @Test func aDoctypeHasTheBudgetOfAComment() {
        var limits = XMLLimits()
        limits.commentBytes = 100
        for (count, fits) in [(20, true), (200, false)] {
            let document = Array("<!DOCTYPE a [\(String(repeating: " ", count: count))]><a/>".utf8)
            for size in [1, 1000] {
                let cuts = Array(stride(from: size, to: document.count, by: size))
                #expect(
                    Reading.outcome(document, cuts: cuts, limits: limits).failure?.code
                        == (fits ? nil : .xmlSizeExceeded))
            }
        }
    }

    /// Each has four names, the fourth in the markup that begins with the last `|`; the rest are told again and again.
    @Test(
        arguments: [
            "<a><b/><c/><b/>|<d/><e/></a>", "<a b='' c=''><b c=''/>|<c b='' d=''/></a>",
            "<a><x:b/><b/><x:a/>|<y:b/></a>", "<a><b x:a=''/><x x:b=''/>|<b y:a=''/></a>",
            "<a xmlns='u'><b/><b/>|<b xmlns='v'/></a>", "<a xmlns:x='u'><x:a/><x:x/>|<x:a xmlns:x='v'/></a>",
            "<a xmlns:x='u'><x/>|<a xmlns:y='u'/></a>", "<a><?b x?><?c?><?b y?>|<?d?></a>", "<?b?><?c?><?d?>|<a/>",
            "<a><b xmlns:xml='u'/><a/>|<b xmlns:xml='v'/></a>",
        ], [1, 1000])
    func aDocumentMayHaveItsBudgetOfNamesAndNotMore(marked: String, size: Int) {
        let document = Array(marked.utf8.filter { $0 != UInt8(ascii: "|") })
        let cuts = Array(stride(from: size, to: document.count, by: size))
        let place = marked.utf8.prefix { $0 != UInt8(ascii: "|") }.count
        var limits = XMLLimits()
        limits.names = 3
        let refused = Reading.outcome(document, cuts: cuts, limits: limits)
        #expect(refused.failure?.code == .xmlSizeExceeded)
        #expect(refused.failure?.place == Place(line: 1, column: place + 1, byte: Int64(place)))
        #expect(refused.failure?.message.contains("more than 3 distinct names") == true)
        limits.names = 5
        #expect(Reading.outcome(document, cuts: cuts, limits: limits).failure == nil)
    }

    @Test func nothingIsToldOfTheElementThatHasOneNameTooMany() {
        var limits = XMLLimits()
        limits.names = 3
        let refused = Reading.outcome(Array("<a><b/><c/><d/><a/></a>".utf8), limits: limits)
        #expect(refused.starts == ["a", "b", "c"])
    }

    /// A document of so many names: elements and, of each, an attribute.
    private func document(names: Int) -> [UInt8] {
        let odd = names.isMultiple(of: 2) ? "<b/>" : ""
        let pairs = (0..<(names - 1) / 2).map { "<e\($0) n\($0)=''/>" }
        return Array(("<a>" + pairs.joined() + odd + "</a>").utf8)
    }

    @Test func theDefaultBudgetOfNamesIs65536() {
        #expect(Reading.outcome(document(names: 1 << 16)).failure == nil)
        let refused = Reading.outcome(document(names: 1 << 16 | 1))
        #expect(refused.failure?.code == .xmlSizeExceeded)
        #expect(refused.failure?.message.contains("65536") == true)
        #expect(refused.starts.count == 1 << 15)
    }

    @Test func textAndSectionsHaveNoBudgetHere() {
        let long = String(repeating: "0 ", count: 1 << 20)
        let outcome = Reading.outcome("<a>\(long)<![CDATA[\(long)]]></a>")
        #expect(outcome.failure == nil)
        #expect(outcome.texts.first?.utf8.count == 4 << 20)
    }
}
