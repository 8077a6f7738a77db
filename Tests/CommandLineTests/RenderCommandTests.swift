import Daedalus
import FoundationEssentials
import TestSupport
import Testing

/// `dae render`, from its arguments to a file.
@Suite struct RenderCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let chair = Repository.fixtures + "/bundles/chair.zip"

    /// Two cameras, one of them with a name, before a square.
    private static let cameras = """
        <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><created/><modified/></asset>
        <library_cameras><camera id="wide"><optics><technique_common><orthographic><ymag>2</ymag><znear>0.1</znear>
        <zfar>100</zfar></orthographic></technique_common></optics></camera><camera id="c2" name="close up"><optics>
        <technique_common><orthographic><ymag>1</ymag><znear>0.1</znear><zfar>100</zfar></orthographic></technique_common>
        </optics></camera></library_cameras>
        <library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">-1 -1 0 1 -1 0 1 1 0 -1 1 0
        </float_array><technique_common><accessor source="#a" count="4" stride="3"><param type="float"/><param type="float"/>
        <param type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
        </vertices><triangles count="2"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 0 2 3</p></triangles></mesh>
        </geometry></library_geometries>
        <library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node>
        <node><translate>0 0 5</translate><instance_camera url="#wide"/></node>
        <node><translate>0 0 5</translate><instance_camera url="#c2"/></node></visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url="#s"/></scene></COLLADA>
        """

    private static func pixels(_ bytes: [UInt8]) throws -> (width: Int, height: Int, rgba: [UInt8]) {
        let image = try DecodedImage(bytes, header: try #require(ImageProbe.probe(bytes).header))
        return (image.width, image.height, image.rgba)
    }

    @Test func aBundleBecomesAPicture() throws {
        let output = folder.path + "/chair.png"
        let outcome = try Program.run(["render", Self.chair, "-o", output, "--size", "96x64"])
        #expect(outcome.code == 0 && outcome.text.isEmpty)
        #expect(outcome.errors == "dae: camera: fit, which shows all of the scene\n")
        let (width, height, pixels) = try Self.pixels(try Repository.bytes(at: output))
        #expect(width == 96 && height == 64)
        let ground = Array(pixels[0..<4])
        let shown = stride(from: 0, to: pixels.count, by: 4).count { Array(pixels[$0..<$0 + 4]) != ground }
        #expect(shown > 96 * 64 / 10)
    }

    @Test func standardOutputTakesIt() throws {
        let document = try folder.write(Self.cameras, to: "cameras.dae")
        let file = folder.path + "/as file.png"
        #expect(try Program.run(["render", "-q", document, "-o", file, "--size", "8"]).errors == "")
        let piped = try Program.run(["render", "-q", document, "-o", "-", "--size", "8"])
        #expect(piped.code == 0 && piped.errors == "")
        #expect(piped.output == (try Repository.bytes(at: file)))
    }

    @Test func aPlaceThatCannotBeWrittenIsToldBeforeAnythingIsDrawn() throws {
        let outcome = try Program.run(["render", Self.chair, "-o", folder.path + "/none/chair.png"])
        #expect(outcome.code == 73)
        #expect(outcome.errors == "dae: \(folder.path)/none/chair.png: cannot be written: No such file or directory\n")
    }

    @Test func aCameraIsChosenByName() throws {
        let document = try folder.write(Self.cameras, to: "cameras.dae")
        let output = folder.path + "/a.png"
        func corner(_ arguments: [String]) throws -> [UInt8] {
            let outcome = try Program.run(
                ["render", document, "-o", output, "--size=8x8", "--background", "102030"] + arguments)
            #expect(outcome.code == 0, "\(outcome.errors)")
            return Array(try Self.pixels(try Repository.bytes(at: output)).rgba[0..<4])
        }
        // The first sees twice as much as there is, the other nothing else.
        #expect(try corner([]) == [16, 32, 48, 255])
        #expect(try corner(["--camera", "wide"]) == [16, 32, 48, 255])
        #expect(try corner(["--camera", "close up"])[0] > 128)
        #expect(try corner(["--background", "transparent"]) == [0, 0, 0, 0])
    }

    @Test func aCameraThatIsNotThereListsThoseThatAre() throws {
        let document = try folder.write(Self.cameras, to: "cameras.dae")
        let outcome = try Program.run(["render", document, "-o", folder.path + "/a.png", "--camera", "other"])
        #expect(outcome.code == 64 && outcome.text.isEmpty)
        #expect(
            outcome.errors
                == "dae: --camera: there is no camera other; expected one of wide, c2, or fit\n", "\(outcome.errors)")
        #expect(try Repository.files(below: folder.path) == ["cameras.dae"])
    }

    @Test(arguments: [
        ["--size", "0"], ["--size", "100000"], ["--size", "0x8"], ["--size", "8x8193"], ["--size", "8x8x8"],
        ["--size", "-1"], ["--size", "big"], ["--samples", "2"], ["--style", "pretty"], ["--background", "12345"],
        ["--time", "nan"], ["--camera", ""],
    ])
    func wrongArgumentsAreRefused(arguments: [String]) throws {
        let output = folder.path + "/a.png"
        let outcome = try Program.run(["render", Self.chair, "-o", output] + arguments)
        #expect(outcome.code == 64 && outcome.text.isEmpty, "\(outcome.errors)")
        if arguments[0] == "--size", arguments[1] != "-1" {
            #expect(outcome.errors.contains("expected 1 to 8192 pixels a side"), "\(outcome.errors)")
        }
        #expect(try Repository.files(below: folder.path).isEmpty)
        #expect(try Program.run(["render", Self.chair]).code == 64)
    }

    @Test func whatCannotBeReadLeavesNoPicture() throws {
        let output = folder.path + "/a.png"
        #expect(try Program.run(["render", folder.path + "/none.dae", "-o", output]).code == 3)
        let broken = try folder.write("<COLLADA", to: "broken.dae")
        #expect(try Program.run(["render", broken, "-o", output]).code == 5)
        #expect(try Repository.files(below: folder.path) == ["broken.dae"])
    }

    // MARK: - Sheets

    @Test func aModelIsShownFromAllAround() throws {
        let output = folder.path + "/around.png"
        let outcome = try Program.run(["render", Self.chair, "-o", output, "--turntable", "4", "--size", "64"])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let (width, height, pixels) = try Self.pixels(try Repository.bytes(at: output))
        #expect(width == 8 + 4 * 72 && height == 8 + 88)
        // Its front and its back are not the same.
        func cell(_ column: Int) -> [UInt8] {
            (0..<64).flatMap { line in
                let place = ((8 + line) * width + 8 + column * 72) * 4
                return pixels[place..<place + 64 * 4]
            }
        }
        #expect(cell(0) != cell(2))
        #expect(cell(0) != cell(1))
    }

    @Test func severalModelsStandOnOneSheet() throws {
        let broken = try folder.write("<COLLADA", to: "models/broken.dae")
        _ = try folder.write(Self.cameras, to: "models/cameras.dae")
        let output = folder.path + "/sheet.png"
        let outcome = try Program.run(
            ["render", "--sheet", folder.path + "/models", Self.chair, "-o", output, "--size", "32"])
        // What cannot be read has an empty place, and is told.
        #expect(outcome.code != 0 && outcome.errors.contains(broken))
        let (width, height, _) = try Self.pixels(try Repository.bytes(at: output))
        #expect(width == 8 + 3 * 40 && height == 8 + 56)
    }

    @Test(arguments: [
        ["a.dae", "b.dae"], ["a.dae", "--turntable", "1"], ["a.dae", "--turntable", "361"],
        ["a.dae", "--turntable", "4", "--sheet"], ["a.dae", "--turntable", "4", "--camera", "wide"],
        ["a.dae", "--turntable", "360", "--size", "1000"], ["a.dae", "--size", "0"], ["a.dae", "--size", "100000"],
        ["a.dae", "--size", "8x"], ["a.dae", "--samples", "2"], ["a.dae", "--style", "oil"],
        ["a.dae", "--background", "red"],
    ])
    func whatCannotBeDrawnIsAWrongArgument(_ arguments: [String]) throws {
        let outcome = try Program.run(["render", "-o", folder.path + "/a.png"] + arguments)
        #expect(outcome.code == 64 && outcome.errors.hasPrefix("Error: "), "\(outcome.errors)")
        #expect(try Repository.files(below: folder.path).isEmpty)
    }

    // MARK: - Terminals

    @Test(arguments: [
        ("kitty", "\u{1B}_Ga=T,f=100,"), ("iterm2", "\u{1B}]1337;File=inline=1;"), ("sixel", "\u{1B}Pq\"1;1;320;320#"),
    ])
    func aTerminalIsGivenThePictureInItsOwnForm(name: String, start: String) throws {
        let plain = try Program.run(["inspect", "--color", "never", Self.chair])
        let shown = try Program.run(["inspect", "--color", "never", Self.chair, "--picture-protocol", name])
        #expect(shown.code == 0 && shown.text.hasPrefix(start))
        #expect(shown.text.hasSuffix("\n" + plain.text))
    }

    /// What kitty gets is the file itself, in pieces.
    @Test func aPictureForKittyIsWhole() throws {
        let shown = try Program.run(["inspect", Self.chair, "--picture-protocol", "kitty"])
        var text = ""
        for piece in shown.text.split(separator: "\u{1B}_G").dropFirst(0) {
            guard let begin = piece.firstIndex(of: ";"), let end = piece.firstIndex(of: "\u{1B}") else { continue }
            #expect(piece[begin..<end].utf8.count <= 4097)
            text += piece[piece.index(after: begin)..<end]
        }
        let bytes = [UInt8](try #require(Data(base64Encoded: text)))
        let (width, height, _) = try Self.pixels(bytes)
        #expect(width == 320 && height == 320)
    }

    @Test func whereNoTerminalIsTheTextAloneIsWritten() throws {
        let plain = try Program.run(["inspect", Self.chair])
        let asked = try Program.run(["inspect", Self.chair, "--picture"])
        #expect(asked.code == 0 && asked.text == plain.text)
        #expect(asked.errors.contains("no picture"))
        #expect(try Program.run(["inspect", Self.chair, "--picture", "--format", "json"]).code == 64)
    }
}
