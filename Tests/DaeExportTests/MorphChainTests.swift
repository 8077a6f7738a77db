import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Morphs over morphs are one list of targets, and what targets have beside positions comes along.
@Suite struct MorphChainTests {
    private static func morph(
        _ id: String, of base: String, to targets: [String], _ weights: [Double], method: String = "NORMALIZED"
    ) -> String {
        """
        <controller id="\(id)"><morph source="#\(base)" method="\(method)"><source id="\(id)-t">
        <IDREF_array id="\(id)-ta" count="\(targets.count)">\(targets.joined(separator: " "))</IDREF_array>
        <technique_common><accessor source="#\(id)-ta" count="\(targets.count)"><param type="IDREF"/></accessor>
        </technique_common></source>\(SmallDocument.source("\(id)-w", weights, "W"))<targets>
        <input semantic="MORPH_TARGET" source="#\(id)-t"/><input semantic="MORPH_WEIGHT" source="#\(id)-w"/></targets>
        </morph></controller>
        """
    }

    private static func raised(_ id: String, _ height: Double) -> String {
        SmallDocument.square(id, raised: height)
    }

    private static func document(
        _ controllers: String, showing controller: String, _ geometries: String, animations: String = ""
    ) -> SmallDocument {
        var document = SmallDocument()
        document.libraries = """
            <library_controllers>\(controllers)</library_controllers>
            <library_animations>\(animations)</library_animations>
            """
        document.geometries = geometries
        document.nodes = "<node id=\"N\"><instance_controller url=\"#\(controller)\"/></node>"
        return document
    }

    private static let shapes = raised("square", 0) + raised("one", 10) + raised("two", 100)

    private static func height(_ conversion: Conversion) throws -> Double {
        try conversion.posed().flatMap(\.positions).map(\.z).max() ?? .nan
    }

    // MARK: - Chains

    /// Of a morph by w1 over a morph by w2: (1 − w2) · w1 · 10 + w2 · 100.
    @Test(arguments: [(0.5, 0.25, 28.75), (1, 0.5, 55), (0.25, 0, 2.5), (0.75, 1, 100)])
    func aMorphOfAMorphHasTheTargetsOfBoth(_ inner: Double, _ outer: Double, _ expected: Double) throws {
        let controllers =
            Self.morph("in", of: "square", to: ["one"], [inner]) + Self.morph("out", of: "in", to: ["two"], [outer])
        let conversion = try Conversion(Self.document(controllers, showing: "out", Self.shapes).bytes)
        #expect(abs(try Self.height(conversion) - expected) < 1e-4)
        #expect(conversion.report.losses.isEmpty, "\(conversion.report)")
        let box = try #require(SceneBounds(of: conversion.scene).box)
        #expect(abs(box.max.z - expected) < 1e-9)
    }

    @Test func aRelativeMorphAddsToWhatIsBelow() throws {
        let controllers =
            Self.morph("in", of: "square", to: ["one"], [0.5])
            + Self.morph("out", of: "in", to: ["two"], [0.25], method: "RELATIVE")
        let conversion = try Conversion(Self.document(controllers, showing: "out", Self.shapes).bytes)
        #expect(abs(try Self.height(conversion) - 30) < 1e-4)
    }

    @Test func threeMorphsAreOne() throws {
        let controllers =
            Self.morph("a", of: "square", to: ["one", "two"], [0.5, 0.1]) + Self.morph("b", of: "a", to: ["two"], [0.5])
            + Self.morph("c", of: "b", to: ["one"], [0.5])
        let conversion = try Conversion(Self.document(controllers, showing: "c", Self.shapes).bytes)
        #expect(abs(try Self.height(conversion) - (((5 + 10) * 0.5 + 50) * 0.5 + 5)) < 1e-4)
        #expect(conversion.checker.file?.list("meshes").first?["weights"]?.numbers.count == 4)
    }

    @Test(arguments: [0, 0.25, 0.5, 1]) func bothMove(_ time: Double) throws {
        let controllers =
            Self.morph("in", of: "square", to: ["one"], [0]) + Self.morph("out", of: "in", to: ["two"], [0])
        let animations =
            SmallDocument.animation("x", "in-w(0)", times: [0, 1], values: [0, 1], "LINEAR")
            + SmallDocument.animation("y", "out-w(0)", times: [0, 1], values: [1, 0], "LINEAR")
        let document = Self.document(controllers, showing: "out", Self.shapes, animations: animations)
        let conversion = try Conversion(document.bytes)
        let file = try #require(conversion.checker.file)
        let sampler = try #require(file.list("animations").first?["samplers"]?.elements.first)
        let times = try #require(sampler["input"]?.int.flatMap { conversion.checker.accessors[$0] }).values
        let values = try #require(sampler["output"]?.int.flatMap { conversion.checker.accessors[$0] }).values
        let next = try #require(times.firstIndex { $0 >= time })
        let share = next == 0 ? 0 : (time - times[next - 1]) / (times[next] - times[next - 1])
        let found = (0..<2).map { target in
            let (from, to) = (values[2 * max(0, next - 1) + target], values[2 * next + target])
            return next == 0 ? to : from + (to - from) * share
        }
        // The inner one's weight is what the outer one leaves of it.
        #expect(abs(found[0] - time * time) < 2e-4 && abs(found[1] - (1 - time)) < 2e-4, "\(found)")
    }

    // MARK: - Normals, colours, texture coordinates

    private static func painted(_ id: String, _ color: [Double], _ shift: Double, corners: String = "0 0 1 0 2 0")
        -> String
    {
        """
        <geometry id="\(id)"><mesh>\(SmallDocument.source("\(id)-p", [0, 0, 0, 1, 0, 0, 0, 1, 0], "XYZ"))
        \(SmallDocument.source("\(id)-c", color, "RGB"))\(SmallDocument.source("\(id)-s", [shift, 0.25], "ST"))
        <vertices id="\(id)-v"><input semantic="POSITION" source="#\(id)-p"/></vertices><triangles count="1">
        <input semantic="VERTEX" source="#\(id)-v" offset="0"/><input semantic="COLOR" source="#\(id)-c" offset="1"/>
        <input semantic="TEXCOORD" source="#\(id)-s" offset="1" set="0"/><p>\(corners)</p></triangles></mesh></geometry>
        """
    }

    @Test func coloursAndTextureCoordinatesOfTargetsComeAlong() throws {
        let shapes = Self.painted("square", [1, 0, 0], 0) + Self.painted("one", [0, 0, 1], 0.5)
        let document = Self.document(
            Self.morph("m", of: "square", to: ["one"], [0.5]), showing: "m", shapes)
        let conversion = try Conversion(document.bytes)
        let mesh = try #require(try conversion.posed().first)
        #expect(mesh.others["COLOR_0"]?.first == [0.5, 0, 0.5, 1])
        #expect(mesh.others["TEXCOORD_0"]?.first == [0.25, 0.75])
        #expect(conversion.report.losses.isEmpty, "\(conversion.report)")
    }

    @Test func whatTargetsShareIsNotWritten() throws {
        let shapes = Self.painted("square", [1, 0, 0], 0) + Self.painted("one", [1, 0, 0], 0)
        let conversion = try Conversion(
            Self.document(Self.morph("m", of: "square", to: ["one"], [0.5]), showing: "m", shapes).bytes)
        let target = conversion.checker.file?.list("meshes").first?["primitives"]?.elements.first?["targets"]?.elements
            .first
        #expect(target?.members.keys.sorted() == ["POSITION"])
    }

    @Test func coloursOfOtherCornersAreTold() throws {
        let shapes = Self.painted("square", [1, 0, 0], 0) + Self.painted("one", [0, 0, 1], 0, corners: "1 0 2 0 0 0")
        let conversion = try Conversion(
            Self.document(Self.morph("m", of: "square", to: ["one"], [0.5]), showing: "m", shapes).bytes)
        #expect(conversion.report.losses.contains { $0.subject == .morphColors && $0.count == 1 })
    }

    @Test func normalsOfTargetsAreTakenAsGiven() throws {
        let shapes =
            SmallDocument.square("square", normal: [0, 0, -1])
            + SmallDocument.square("one", normal: [0, 0, 0.1])
        let conversion = try Conversion(
            Self.document(Self.morph("m", of: "square", to: ["one"], [0.5]), showing: "m", shapes).bytes)
        let mesh = try #require(try conversion.posed().first)
        #expect(mesh.normals.allSatisfy { near($0, [0, 0, -0.45]) })
    }

    @Test func normalsOfALengthOfTheirOwnKeepTheirShare() throws {
        // Halfway between them lies (0.5, 0, 1), whatever the base's is stretched to.
        let shapes =
            SmallDocument.square("square", normal: [0, 0, 2]) + SmallDocument.square("one", normal: [1, 0, 0])
        let conversion = try Conversion(
            Self.document(Self.morph("m", of: "square", to: ["one"], [0.5]), showing: "m", shapes).bytes)
        let mesh = try #require(try conversion.posed().first)
        #expect(mesh.normals.allSatisfy { near($0 / $0.z, [0.5, 0, 1]) })
    }

    @Test func differencesOfNormalsAreAddedAsTheyAre() throws {
        let shapes =
            SmallDocument.square("square", normal: [0, 0, 1]) + SmallDocument.square("one", normal: [1, 0, 0])
        let conversion = try Conversion(
            Self.document(
                Self.morph("m", of: "square", to: ["one"], [0.5], method: "RELATIVE"), showing: "m", shapes
            ).bytes)
        let mesh = try #require(try conversion.posed().first)
        #expect(mesh.normals.allSatisfy { near($0, [0.5, 0, 1]) })
    }

    /// Parts of a target may stand in any order: each of three hundred is found, and none is compared with all.
    @Test func partsOfATargetAreFoundInAnyOrder() throws {
        let count = 300
        func shape(_ id: String, _ color: Double, _ order: [Int]) -> String {
            let places = (0..<count).map(Double.init).flatMap { x -> [Double] in [x, 0, 0, x, 1, 0, x, 0, 1] }
            let parts = order.map { part in
                let corners = (0..<3).map { "\(3 * part + $0) 0" }.joined(separator: " ")
                return """
                    <triangles count="1"><input semantic="VERTEX" source="#\(id)-v" offset="0"/>
                    <input semantic="COLOR" source="#\(id)-c" offset="1"/><p>\(corners)</p></triangles>
                    """
            }
            return """
                <geometry id="\(id)"><mesh>\(SmallDocument.source("\(id)-p", places, "XYZ"))
                \(SmallDocument.source("\(id)-c", [color, 0, 0], "RGB"))
                <vertices id="\(id)-v"><input semantic="POSITION" source="#\(id)-p"/></vertices>
                \(parts.joined())</mesh></geometry>
                """
        }
        let shapes = shape("square", 1, Array(0..<count)) + shape("one", 0, (0..<count).reversed())
        let document = Self.document(
            Self.morph("m", of: "square", to: ["one", "one"], [0.25, 0.5]), showing: "m", shapes)
        let conversion = try Conversion(document.bytes)
        #expect(conversion.report.losses.isEmpty, "\(conversion.report)")
        let primitives = conversion.checker.file?.list("meshes").first?["primitives"]?.elements ?? []
        #expect(primitives.count == count)
        #expect(
            primitives.allSatisfy { primitive in
                let targets = primitive["targets"]?.elements ?? []
                return targets.count == 2 && targets.allSatisfy { $0["COLOR_0"] != nil }
            })
    }
}
