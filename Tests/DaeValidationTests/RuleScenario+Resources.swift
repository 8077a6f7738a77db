import DaeArchive
import DaeCore
import DaeDiagnostics
import DaeDownload
import DaePipeline
import DaeResources
import DaeXML
import FoundationEssentials
import TestSupport

@testable import DaeCollada

/// Of files around a document, of images, and of work that is bounded.
extension RuleScenario {
    static let resources: [RuleScenario] = [
        RuleScenario(.imageTooLarge) {
            try await embedded(bytes: 1001)
        } near: {
            try await embedded(bytes: 1000)
        },
        RuleScenario(.resourceOutside) {
            try await painted("../textures/checker.png")
        } near: {
            try await painted("textures/checker.png")
        },
        RuleScenario(.resourceDocumentLink) {
            try await linked("tile.dae")
        } near: {
            try await linked("other.dae")
        },
        RuleScenario(.resourceFetchLimit) {
            try await fetched(images: 65)
        } near: {
            try await fetched(images: 64)
        },
        RuleScenario(.robotDescriptionUnreadable) {
            try described("<html/>")
        } near: {
            try described("<robot/>")
        },
        RuleScenario(.robotMeshNotFound) {
            try described("<robot><mesh filename='Tile.dae'/></robot>")
        } near: {
            try described("<robot><mesh filename='tile.dae'/></robot>")
        },
        RuleScenario(.robotNameNotLiteral) {
            try described("<robot><mesh filename='${name}.dae'/></robot>")
        } near: {
            try described("<robot><mesh filename='tile.dae' scale='${s} 1 1'/></robot>")
        },
        RuleScenario(.robotScaleInvalid) {
            try described("<robot><mesh filename='tile.dae' scale='1 1'/></robot>")
        } near: {
            try described("<robot><mesh filename='tile.dae' scale='1 1 -1'/></robot>")
        },
        RuleScenario(.robotScaleAmbiguous) {
            try described("<robot><mesh filename='tile.dae'/><mesh filename='./tile.dae' scale='1 1 2'/></robot>")
        } near: {
            try described("<robot><mesh filename='tile.dae'/><mesh filename='./tile.dae' scale='1 1 1.0'/></robot>")
        },
        RuleScenario(.workLimitExceeded) {
            try searched(nodes: 3)
        } near: {
            try searched(nodes: 4)
        },
    ]

    private static func document(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
          <asset>
            <created>2026-01-01T00:00:00Z</created>
            <modified>2026-01-01T00:00:00Z</modified>
            <unit name="meter" meter="1"/>
            <up_axis>Y_UP</up_axis>
          </asset>
        \(body)
          <library_visual_scenes>
            <visual_scene id="scene">
              <node id="node">
                <instance_node url="#far"/>
              </node>
            </visual_scene>
          </library_visual_scenes>
          <scene>
            <instance_visual_scene url="#scene"/>
          </scene>
        </COLLADA>
        """
    }

    private static let far = """
          <library_nodes>
            <node id="far">
              <node id="inner">
                <translate sid="place">0 0 0</translate>
              </node>
            </node>
          </library_nodes>
        """

    // MARK: - Images

    private static func embedded(bytes: Int) async throws -> Set<FindingCode> {
        let data = String(repeating: "ab", count: bytes)
        let library = "<library_images><image id=\"i\" format=\"PNG\"><data>\(data)</data></image></library_images>"
        let act = try Act()
        let path = try act.folder.write(document(library + far), to: "embedded.dae")
        return try await act.codes(of: path) { $0.collada.limits.textBytes = 1000 }
    }

    private static func image(_ number: Int, _ reference: String) -> String {
        "<image id=\"image\(number)\"><init_from>\(reference)</init_from></image>"
    }

    private static func images(_ list: [String]) -> String {
        document("<library_images>\(list.joined())</library_images>" + far)
    }

    private static func painted(_ reference: String) async throws -> Set<FindingCode> {
        let act = try Act()
        let path = try act.folder.write(images([image(0, reference)]), to: "models/tile.dae")
        let picture = try Repository.fixture("rules/textures/checker.png")
        try act.folder.write(picture, to: "textures/checker.png")
        try act.folder.write(picture, to: "models/textures/checker.png")
        return try await act.codes(of: path) {
            $0.policy = .hostPaths([])
            $0.root = act.folder.path + "/models"
        }
    }

    /// A link called `tile.dae` to a document of this name.
    private static func linked(_ name: String) async throws -> Set<FindingCode> {
        let act = try Act()
        let path = try act.folder.write(Act.tile(), to: "kept/\(name)")
        try act.folder.write("around the link", to: "shown/notes.txt")
        let link = act.folder.path + "/shown/tile.dae"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        return try await act.codes(of: link) { $0.policy = .hostPaths([]) }
    }

    private static func fetched(images count: Int) async throws -> Set<FindingCode> {
        let picture = FaultResource(try Repository.fixture("rules/textures/checker.png"), contentType: "image/png")
        let server = try FaultServer(Dictionary(uniqueKeysWithValues: (0..<count).map { ("/\($0).png", picture) }))
        let act = try Act()
        let list = (0..<count).map { image($0, server.url("/\($0).png")) }
        return try await act.codes(of: act.folder.write(images(list), to: "tile.dae")) {
            $0.webImages = .fetched
            $0.web.imagePolicy = .open
        }
    }

    // MARK: - Robots

    /// A robot's description beside a document, and the scale that it gives that.
    private static func described(_ text: String) throws -> Set<FindingCode> {
        let act = try Act()
        let tile = try act.folder.write(Act.tile(), to: "robot/tile.dae")
        let path = try act.folder.write(text, to: "robot/robot.xacro")
        do throws(CodedFailure) {
            let format: RobotDescription.Format = text.contains("${") ? .xacro : .urdf
            let robot = try DescribedRobot(reading: path, as: format, .bundleOnly, root: nil)
            var scales = RobotScales()
            scales.add(robot)
            let codes = Set(robot.findings.counts.keys)
            if codes.isEmpty, format == .urdf, let real = try? RealPath.of(tile) { _ = try scales.scale(of: real) }
            return codes
        } catch { return [error.code] }
    }

    // MARK: - Work

    /// A channel whose target lies behind two nodes of an instance.
    private static func searched(nodes limit: Int) throws -> Set<FindingCode> {
        let animation = """
              <library_animations><animation id="a">
                <source id="t"><float_array id="ta" count="2">0 1</float_array></source>
                <source id="v"><float_array id="va" count="2">1 3</float_array></source>
                <sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#v"/></sampler>
                <channel source="#s" target="node/place.X"/>
              </animation></library_animations>
            """
        let parser = ColladaParser()
        try Array(document(animation + far).utf8).withUnsafeBytes { try parser.read($0) }
        let reading = try parser.finish()
        var limits = SearchLimits()
        limits.nodes = limit
        var builder = SceneBuilder(
            LinkedDocument(reading.document, path: nil), options: ColladaOptions(), limits: limits)
        _ = try builder.build()
        return Set(builder.log.counts.keys)
    }
}
