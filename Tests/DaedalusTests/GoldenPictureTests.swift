// `DAE_UPDATE_GOLDEN=1` draws the golden pictures anew; look at them before committing.

import DaeImages
import DaePipeline
import DaeRender
import Daedalus
import FoundationEssentials
import TestSupport
import Testing

/// Pictures of the fixtures, held against those in `Fixtures/pictures`, which were looked at.
@Suite struct GoldenPictureTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        let source: String
        var time: Double?
        var style = RenderOptions.Style.lit
        var camera = RenderOptions.CameraChoice.automatic

        /// In `Fixtures/pictures`.
        var name: String {
            let stem = source.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? source
            let moment = time.map { "-at-\($0)" } ?? ""
            return stem + moment + (style == .lit ? "" : "-\(style.rawValue)") + (camera == .fit ? "-fit" : "") + ".png"
        }
        var testDescription: String { name }
    }

    private static let goldens: [Golden] =
        ["chair.zip", "lamp.zae", "house.kmz", "walker.zip"].map { Golden(source: "bundles/\($0)") }
        + ["lamp.zae", "walker.zip"].map { Golden(source: "bundles/\($0)", camera: .fit) }
        + [0.25, 0.5].map { Golden(source: "bundles/walker.zip", time: $0, camera: .fit) }
        + RenderOptions.Style.allCases.filter { $0 != .lit }.map {
            Golden(source: "bundles/\($0 == .suite ? "lamp.zae" : "chair.zip")", style: $0)
        }
        + [Golden(source: "documents/shadings.dae")]
        + [
            "instance-node-dag", "linestrips", "morph", "nested-units", "polygons", "rich-1.5", "shadings",
            "skin-over-morph", "trifans",
        ].map { Golden(source: "documents/\($0).dae", camera: .fit) }

    /// Of all goldens, so that none is left over from one that is no more.
    @Test func eachPictureHasItsTest() throws {
        #expect(Set(Repository.fixtureNames(in: "pictures")) == Set(Self.goldens.map(\.name)))
    }

    @Test(arguments: goldens) func aFixtureLooksAsItDid(_ golden: Golden) async throws {
        let model = try await Dae.load(.path(Repository.fixtures + "/" + golden.source))
        var options = RenderOptions()
        (options.width, options.height) = (128, 128)
        (options.time, options.style, options.camera) = (golden.time, golden.style, golden.camera)
        let picture = try model.picture(options)
        let path = Repository.fixtures + "/pictures/" + golden.name
        if Repository.environment("DAE_UPDATE_GOLDEN") == "1" {
            try Data(picture.png()).write(to: URL(filePath: path))
        }
        let bytes = try Repository.bytes(at: path)
        let kept = try DecodedImage(bytes, header: try #require(ImageProbe.probe(bytes).header))
        try #require(kept.width == 128 && kept.height == 128)
        let differences = zip(kept.rgba, picture.pixels).map { abs(Int($0) - Int($1)) }
        // Where a node is turned the C library's sine takes part, whose last bit may be another with another version.
        #expect(differences.count { $0 > 2 } <= 128 * 128 / 500)
    }
}
