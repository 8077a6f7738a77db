import TestSupport
import Testing

/// Documents nest as deep as the budget lets them, whichever element it is and whichever parser reads it.
@Suite struct DepthCommandTests {
    private static let head = """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
        <asset><created>2024-01-01T00:00:00</created><modified>2024-01-01T00:00:00</modified><unit meter="1"/>
        <up_axis>Y_UP</up_axis></asset>
        """
    private static let geometry = """
        <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 1 0
        </float_array><technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/>
        <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1">
        <input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries>
        """

    private static func nested(_ open: String, _ close: String, _ depth: Int, within: String = "") -> String {
        String(repeating: open, count: depth) + within + String(repeating: close, count: depth)
    }

    enum Kind: String, CaseIterable {
        case nodes, extras, animations, techniques, links, formulas, unknown

        /// A document in which so many of them nest.
        func document(_ depth: Int) -> String {
            var libraries = ""
            var nodes = "<node id=\"n\"><instance_geometry url=\"#g\"/></node>"
            var end = ""
            switch self {
            case .nodes:
                nodes = nested(
                    "<node><translate>0 0 1</translate>", "</node>", depth, within: "<instance_geometry url=\"#g\"/>")
            case .extras: end = nested("<extra><technique profile=\"X\">", "</technique></extra>", depth / 2)
            case .animations:
                libraries = "<library_animations>\(nested("<animation>", "</animation>", depth))</library_animations>"
            case .techniques:
                libraries = """
                    <library_effects><effect id="e"><profile_COMMON><technique sid="t"><lambert/><extra>
                    <technique profile="X">\(nested("<shader>", "</shader>", depth))</technique></extra></technique>
                    </profile_COMMON></effect></library_effects>
                    """
            case .links:
                libraries = """
                    <library_kinematics_models><kinematics_model id="k"><technique_common><joint sid="j">
                    <revolute sid="a"><axis>0 0 1</axis></revolute></joint>
                    \(nested(
                        "<link sid=\"l\"><attachment_full joint=\"k/j\">", "</attachment_full></link>", depth / 2))
                    </technique_common></kinematics_model></library_kinematics_models>
                    """
            case .formulas:
                libraries = """
                    <library_formulas><formula id="f"><target><float>0</float></target><technique_common>
                    <math xmlns="http://www.w3.org/1998/Math/MathML">\(nested(
                        "<apply><plus/>", "</apply>", depth, within: "<cn>1</cn>"))</math>
                    </technique_common></formula></library_formulas>
                    """
            case .unknown: end = nested("<what>", "</what>", depth)
            }
            return """
                \(head)\(libraries)\(geometry)<library_visual_scenes><visual_scene id="s">\(nodes)</visual_scene>
                </library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>\(end)</COLLADA>
                """
        }
    }

    private static let verbs = [
        ["inspect", "--format", "json"], ["tree"], ["tree", "--format", "json"], ["tree", "--kinematics"],
        ["validate"], ["validate", "--schema", "strict"], ["resolve"],
    ]

    /// With a document type libxml2 reads all of it.
    @Test(arguments: Kind.allCases, ["", "<!DOCTYPE COLLADA>"])
    func fourThousandLevelsAreRead(kind: Kind, prefix: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(prefix + kind.document(4000), to: "deep.dae")
        for verb in Self.verbs + [["convert", "-o", folder.path + "/deep.glb"]] {
            let outcome = try Program.run([verb[0], path] + verb.dropFirst())
            #expect((0...1).contains(outcome.code), "\(kind) \(verb): \(outcome.code) \(outcome.errors.prefix(300))")
        }
    }

    @Test(arguments: ["", "<!DOCTYPE COLLADA>"])
    func moreLevelsAreRefused(prefix: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(prefix + Kind.nodes.document(5000), to: "deep.dae")
        let outcome = try Program.run(["inspect", path])
        #expect(outcome.code == 6 && outcome.errors.contains("[XML_DEPTH_EXCEEDED]"), "\(outcome.errors)")
    }

    @Test func theTriangleAtTheEndOf260NodesIsConverted() throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.run([
            "convert", "Fixtures/field/A17-small/deep-260.dae", "-o", folder.path + "/deep.gltf",
        ])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let text = String(decoding: try Repository.bytes(at: folder.path + "/deep.gltf"), as: UTF8.self)
        let file = try JSONNode(parsing: Array(text.utf8))
        let nodes = file["nodes"]?.elements ?? []
        #expect(nodes.count >= 260 && nodes.count(where: { $0["mesh"] != nil }) == 1)
        // Each node is one further along z.
        let shifts = nodes.compactMap { node in
            (node["matrix"]?.elements.dropFirst(14) ?? node["translation"]?.elements.dropFirst(2))?.first?.number
        }
        #expect(shifts.reduce(0, +) == 260)
    }
}

/// What is wrong around a document or in its markup, as people meet it.
@Suite struct BrokenMarkupTests {
    private static let folder = "Fixtures/field/A17-small/"

    @Test(arguments: ["blank-line-first", "zeros-at-the-end"])
    func whatMeansNothingIsReadPastWithAWarning(name: String) throws {
        let folder = try TemporaryFolder()
        let converted = try Program.run(["convert", "\(Self.folder)\(name).dae", "-o", folder.path + "/out.glb"])
        #expect(converted.code == 0, "\(converted.errors)")
        let validated = try Program.run(["validate", "\(Self.folder)\(name).dae"])
        #expect(validated.code == 0, "\(validated.text)\(validated.errors)")
        #expect(validated.text.contains("warning: ") && validated.text.contains("[XML_RECOVERED]"), "\(validated.text)")
    }

    @Test(
        arguments: [
            ("bare-ampersand", "&amp;"), ("attribute-twice", "stands twice"), ("control-character", "U+000B"),
        ], ["inspect", "validate", "resolve"])
    func brokenMarkupIsShownWithItsLine(fault: (name: String, words: String), verb: String) throws {
        let outcome = try Program.run([verb, "\(Self.folder)\(fault.name).dae"])
        #expect(outcome.code == 5)
        // What a validator says of a document is its result, whatever else it could read of it.
        let said = verb == "validate" ? outcome.text : outcome.errors
        let lines = said.split(separator: "\n").prefix(3)
        try #require(lines.count == 3, "\(said)")
        #expect(lines[0].contains(fault.words) && !lines[0].contains("xmlParse"), "\(said)")
        #expect(lines[1].hasPrefix("    4 | "), "\(said)")
        #expect(lines[2].hasSuffix("^"), "\(said)")
    }

    @Test func aNumberTooLargeIsWhatTheSchemaSaysItIs() throws {
        let folder = try TemporaryFolder()
        let document = DepthCommandTests.Kind.extras.document(2).replacing("1 0 0 0 1 0", with: "1e999 0 0 0 -1e400 0")
        let path = try folder.write(document, to: "large.dae")
        let strict = try Program.run(["validate", "--schema", "strict", path])
        #expect(
            !strict.text.contains("SCHEMA_INVALID_NUMBER") && strict.text.contains("[NUMBER_NON_FINITE]"),
            "\(strict.text)")
    }
}
