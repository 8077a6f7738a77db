import DaeDiagnostics
import DaeXML
import TestSupport
import Testing

@Suite struct DoctypeTests {
    @Test(arguments: [
        "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'>", "<!DOCTYPE a PUBLIC \"-//x>y\" \"a>b\">",
        "<!DOCTYPE a [ <!ELEMENT a ANY> ]>", "<!DOCTYPE a [ <!-- ] > ' --> <!ELEMENT a ANY> <?p ]>'?> ]>",
        "<!DOCTYPE a [\n<!ATTLIST a id CDATA \"]>\">\n]\n>", "<!DOCTYPE a []>",
    ])
    func aDoctypeIsCutOutAndTold(doctype: String) {
        let document = Array("\(doctype)\n<a>x</a>".utf8)
        for size in [1, 6, 1000] {
            let outcome = Reading.outcome(document, chunk: size)
            #expect(outcome.failure == nil)
            #expect(outcome.texts == ["x"])
            #expect(outcome.codes == [.xmlDoctypeIgnored])
            // No default of an attribute is filled in either.
            guard case .start(_, number: _, namespace: _, attributes: let attributes, _)? = outcome.events.first else {
                Issue.record("no element")
                continue
            }
            #expect(attributes.isEmpty)
        }
    }

    @Test func whatADoctypeNamesIsNeverOpened() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("<!ENTITY e 'leaked'>", to: "a.dtd")
        let outcome = Reading.outcome("<!DOCTYPE a SYSTEM 'file://\(path)'><a>&e;</a>")
        #expect(outcome.failure?.code == .xmlNotWellFormed)
        #expect(outcome.texts.isEmpty)
    }

    @Test(arguments: [
        "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>",
        "<!DOCTYPE a [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'> %p;]><a/>",
        "<!DOCTYPE a [<!ELEMENT a ANY>\n<!ENTITY\ne 'x'>]><a/>",
    ])
    func aDoctypeThatDeclaresEntitiesIsRefused(document: String) {
        for size in [1, 6, 1000] {
            let outcome = Reading.outcome(Array("\n\(document)".utf8), chunk: size)
            #expect(outcome.failure?.code == .xmlDoctypeForbidden)
            #expect(outcome.failure?.place == Place(line: 2, column: 1, byte: 1))
            #expect(outcome.events.isEmpty)
        }
    }

    @Test func aBillionLaughsAreRefused() {
        var bomb = "<!DOCTYPE a [<!ENTITY e0 'lol'>"
        for level in 1...9 {
            let last = "&e\(level - 1);"
            bomb += "<!ENTITY e\(level) '" + String(repeating: last, count: 10) + "'>"
        }
        let outcome = Reading.outcome(bomb + "]><a>&e9;</a>")
        #expect(outcome.failure?.code == .xmlDoctypeForbidden)
        #expect(outcome.events.isEmpty)
    }

    @Test(arguments: ["<a><!DOCTYPE a><b/></a>", "<a/><!DOCTYPE a>", "<a>x<!DOCTYPE a [<!ENTITY e 'x'>]>&e;</a>"])
    func aDoctypeBehindTheRootsStartIsAFailure(document: String) {
        let outcome = Reading.outcome(document)
        #expect(outcome.failure != nil)
        #expect(outcome.failure?.place.line == 1)
    }

    @Test func aDoctypeWithoutEndIsAFailureThatNamesItsLine() {
        let outcome = Reading.outcome("\n\n<!DOCTYPE a [ <a/>")
        #expect(outcome.failure?.code == .xmlNotWellFormed)
        #expect(outcome.failure?.message.contains("line 3") == true)
    }
}
