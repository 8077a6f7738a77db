import DaeCollada
import DaeDiagnostics
import DaeScene
import DaeXML
import Testing

@Suite struct AssetTests {
    private func read(_ asset: String, version: String = "1.4.1") -> Outcome {
        Outcome(Document(version: version, asset: asset).text)
    }

    @Test func contributorsUnitAxisAndDatesAreRead() {
        let outcome = read(
            """
            <asset><contributor><author> A &amp; B </author><authoring_tool>T</authoring_tool><comments/></contributor>
            <contributor><source_data>file:///x</source_data><copyright>c</copyright></contributor>
            <created>2020-01-01T00:00:00Z</created><modified>2021</modified><title>Tï</title><keywords>k</keywords>
            <revision>1</revision><subject>s</subject><unit name="inch" meter="0.0254"/><up_axis>
            X_UP </up_axis></asset>
            """)
        let asset = outcome.document.asset
        #expect(asset?.contributors.map(\.author) == ["A & B", nil])
        #expect(asset?.contributors.map(\.authoringTool) == ["T", nil])
        #expect(asset?.contributors.map(\.comments) == [nil, nil])
        #expect(asset?.contributors.last?.sourceData == "file:///x")
        #expect(asset?.contributors.last?.copyright == "c")
        #expect(asset?.created == "2020-01-01T00:00:00Z")
        #expect(asset?.modified == "2021")
        #expect(asset?.title == "Tï")
        #expect(asset?.keywords == "k")
        #expect(asset?.revision == "1")
        #expect(asset?.subject == "s")
        #expect(asset?.unit?.name == "inch")
        #expect(outcome.scene.metersPerUnit == 0.0254)
        #expect(outcome.scene.upAxis == .x)
        #expect(outcome.findings.isEmpty)
    }

    private static let units: [(String, Double, [FindingCode])] = [
        ("<unit meter='0.01'/>", 0.01, []), ("<unit name='m'/>", 1, []),
        ("<unit meter='0,0254'/>", 0.0254, [.numberDecimalComma]),
        ("<unit meter='0'/>", 1, [.assetUnitInvalid]), ("<unit meter='-1'/>", 1, [.assetUnitInvalid]),
        ("<unit meter='NaN'/>", 1, [.numberNonFinite, .assetUnitInvalid]),
        ("<unit meter='INF'/>", 1, [.numberNonFinite, .assetUnitInvalid]),
        ("<unit meter='metre'/>", 1, [.schemaInvalidNumber, .assetUnitInvalid]),
        ("<unit meter=''/>", 1, [.schemaInvalidNumber, .assetUnitInvalid]),
        ("", 1, [.assetUnitMissing]),
    ]

    @Test(arguments: units.indices)
    func theUnitIsAPositiveNumberOrTheMetre(index: Int) {
        let (unit, meters, codes) = Self.units[index]
        let outcome = read("<asset>\(unit)<up_axis>Y_UP</up_axis></asset>")
        #expect(outcome.scene.metersPerUnit == meters)
        #expect(outcome.codes == codes)
    }

    @Test func theUpAxisIsOneOfThreeOrY() {
        for (axis, expected, codes) in [
            ("<up_axis>Z_UP</up_axis>", .z, []), ("<up_axis>z_up</up_axis>", .z, [.quirkUpAxisCase]),
            ("", .y, [.assetUpAxisMissing]),
            ("<up_axis>UP</up_axis>", .y, [.schemaInvalidEnum]),
        ] as [(String, Scene.UpAxis, [FindingCode])] {
            let outcome = read("<asset><unit/>\(axis)</asset>")
            #expect(outcome.scene.upAxis == expected)
            #expect(outcome.codes == codes, "\(axis)")
        }
    }

    @Test func anotherAssetThanTheDocumentsOwnIsNotTheDocuments() {
        let outcome = Outcome(
            Document(asset: "", body: "<library_nodes><asset><up_axis>X_UP</up_axis></asset></library_nodes>").text)
        #expect(outcome.document.asset == nil)
        #expect(outcome.codes == [.assetMissing, .assetNestedUnit])
        #expect(outcome.document.nestedAssets.map(\.owner) == ["library_nodes"])
        #expect(outcome.scene.upAxis == .y)
    }

    @Test func theRootAndItsVersionAreLookedAt() {
        for (root, codes) in [
            ("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.0'>", []),
            ("<COLLADA xmlns='http://www.collada.org/2008/03/COLLADASchema' version='1.5.0'>", []),
            ("<c:COLLADA xmlns:c='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>", []),
            (
                "<COLLADA xmlns='http://www.collada.org/2008/03/COLLADASchema' version='1.4.1'>",
                [.docVersionNamespaceMismatch]
            ),
            ("<COLLADA version='1.4.1'>", [.docNamespaceUnexpected]),
            ("<COLLADA xmlns='u' version='1.4.1'>", [.docNamespaceUnexpected]),
            ("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'>", [.docVersionUnsupported]),
            ("<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='9'>", [.docVersionUnsupported]),
        ] as [(String, [FindingCode])] {
            let prefix = root.hasPrefix("<c:") ? "c:" : ""
            let outcome = Outcome(
                "\(root)<\(prefix)asset><\(prefix)unit/><\(prefix)up_axis>Y_UP</\(prefix)up_axis></\(prefix)asset></\(prefix)COLLADA>"
            )
            #expect(outcome.failure == nil)
            #expect(outcome.codes == codes, "\(root)")
            #expect(outcome.document.asset?.upAxis == .y)
        }
    }

    @Test(arguments: ["<kml/>", "<html><COLLADA/></html>", "<collada/>", "<x:foo xmlns:x='u'/>"])
    func anotherRootIsAFailureThatNamesIt(text: String) {
        let failure = Outcome("\n\(text)").failure
        #expect(failure?.code == .docNotCollada)
        #expect(failure?.place.line == 2)
        #expect(failure?.message.contains("<COLLADA>") == true)
    }

    @Test func aTextThatIsTooLongIsRefused() {
        var options = ColladaOptions()
        options.limits.textBytes = 1000
        let long = String(repeating: "x", count: 1001)
        let outcome = Outcome(Document(asset: "<asset><title>\(long)</title></asset>").text, options: options)
        #expect(outcome.failure?.code == .xmlSizeExceeded)
        let split = Outcome(
            Document(asset: "<asset><title>\(String(long.dropLast()))</title></asset>").text, options: options)
        #expect(split.document.asset?.title?.count == 1000)
    }

    /// Copied each time, this would take gigabytes.
    @Test func textBetweenManyElementsStaysSmall() {
        let outcome = Outcome(
            Document(asset: "<asset><title>\(String(repeating: "x<title/>", count: 100_000))</title></asset>").text)
        #expect(outcome.failure == nil)
        #expect(outcome.document.asset?.title?.hasPrefix("x") == true)
    }
}
