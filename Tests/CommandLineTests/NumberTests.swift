import TestSupport
import Testing

/// No number of a document stops the program, whatever it writes.
@Suite struct NumberTests {
    /// A document in which the numbers are points, places of nodes, keys of an animation and colours.
    private func document(_ numbers: [String]) -> String {
        func source(_ id: String, _ width: Int, _ numbers: [String]) -> String {
            let params = String(repeating: "<param type=\"float\"/>", count: width)
            return """
                <source id="\(id)"><float_array id="\(id)-a" count="\(numbers.count)">\(numbers.joined(separator: " "))
                </float_array><technique_common><accessor source="#\(id)-a" count="\(numbers.count / width)"
                 stride="\(width)">\(params)</accessor></technique_common></source>
                """
        }
        let corners = (0..<numbers.count).map { "\($0) 0 1" }.joined(separator: " ")
        let nodes = numbers.map { "<node><translate>\($0) 0 1</translate><rotate>0 0 1 \($0)</rotate></node>" }
        let names = numbers.map { _ in "LINEAR" }.joined(separator: " ")
        let times = (0..<numbers.count).map(String.init)
        return """
            <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
            <asset><unit meter="1"/><up_axis>Y_UP</up_axis></asset>
            <library_geometries><geometry id="g"><mesh>\(source("p", 3, numbers.flatMap { [$0, "0", "1"] }))
            <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
            <triangles count="\(numbers.count)"><input semantic="VERTEX" source="#v" offset="0"/><p>\(corners)</p>
            </triangles></mesh></geometry></library_geometries>
            <library_lights><light id="l"><technique_common><point><color>\(numbers[0]) 1 1</color></point>
            </technique_common></light></library_lights>
            <library_animations><animation>\(source("t", 1, times))\(source("o", 1, numbers))
            <source id="i"><Name_array id="i-a" count="\(numbers.count)">\(names)</Name_array><technique_common>
            <accessor source="#i-a" count="\(numbers.count)"><param type="Name"/></accessor></technique_common></source>
            <sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/>
            <input semantic="INTERPOLATION" source="#i"/></sampler><channel source="#s" target="n/m.X"/></animation>
            </library_animations>
            <library_visual_scenes><visual_scene id="s0"><node id="n"><translate sid="m">\(numbers[0]) 0 0</translate>
            <instance_geometry url="#g"/><instance_light url="#l"/></node>\(nodes.joined())</visual_scene>
            </library_visual_scenes><scene><instance_visual_scene url="#s0"/></scene></COLLADA>
            """
    }

    /// Every form of every verb.
    private func everyForm(of path: String, in folder: TemporaryFolder) throws {
        let forms = [
            ["inspect"], ["inspect", "--format", "json"], ["tree"], ["tree", "--format", "json"], ["validate"],
            ["validate", "--format", "json"], ["validate", "--format", "sarif"],
            ["validate", "--format", "gltf-report"],
            ["resolve"], ["convert", "-o", folder.path + "/o.glb", "--report", folder.path + "/r.json"],
            ["convert", "-o", folder.path + "/o.gltf", "--time", "0.5"],
        ]
        for form in forms {
            let outcome = try Program.run([form[0], path] + form.dropFirst())
            #expect((0...7).contains(outcome.code), "\(form): \(outcome.code) \(outcome.errors)")
        }
    }

    @Test(arguments: [
        "-9223372036854775808", "-9223372036854775809", "-9.223372036854775808e18", "9223372036854775807",
        "9223372036854775808", "1.7976931348623157e308", "-1e999", "NaN", "5e-324",
    ])
    func aNumberAtAnEndOfWhatCanBeWrittenIsWritten(number: String) throws {
        let folder = try TemporaryFolder()
        try everyForm(of: try folder.write(document([number, "1", "2"]), to: "number.dae"), in: folder)
    }

    @Test func everyKindOfNumberAtOnceIsWritten() throws {
        let folder = try TemporaryFolder()
        let numbers = (EveryKindOfNumber.powers + EveryKindOfNumber.limits).map { String($0) }
        try everyForm(of: try folder.write(document(numbers), to: "numbers.dae"), in: folder)
    }

    @Test func theLeastWholeNumberOfTheFieldIsWritten() throws {
        let folder = try TemporaryFolder()
        try everyForm(of: "Fixtures/field/S01-budgets/min63.dae", in: folder)
    }
}
