import DaeImages
import TestSupport
import Testing

/// What Pillow reads of the same files: made anew for each run, from seeds.
@Suite(.enabled(if: Pillow.python != nil, "needs Python with Pillow (Debian: python3-pil)")) struct PillowTests {
    @Test func everyPixelIsTheOneThatPillowReads() throws {
        let folder = try TemporaryFolder()
        let count = Repository.environment("DAE_TEST_FULL") == "1" ? 1200 : 72
        let python = try #require(Pillow.python)
        let script = Repository.root + "/scripts/tests/images.py"
        let made = try Program.run([script, folder.path, "7", "\(count)"], program: python)
        try #require(made.code == 0, "\(made.errors)")
        let names = try Repository.files(below: folder.path).filter { !$0.hasSuffix(".rgba") }
        #expect(names.count == count)
        for name in names {
            let image = try ImageCodec.png(from: Repository.bytes(at: folder.path + "/" + name), fileName: name)
            let picture = try Picture(png: image.bytes)
            let seen = try Pillow.Pixels(Repository.bytes(at: folder.path + "/" + name + ".rgba"))
            #expect(image.completeness == .whole, "\(name)")
            #expect(picture.width == seen.width && picture.height == seen.height, "\(name)")
            let off = zip(picture.colours, seen.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
            #expect(off <= seen.tolerance, "\(name): a value is off by \(off)")
        }
    }

    /// The other way: Pillow reads what the writer wrote, of every number of channels.
    @Test func pillowReadsThePNG() throws {
        let folder = try TemporaryFolder()
        let python = try #require(Pillow.python)
        var numbers = SeededNumbers(seed: 3)
        for (name, sample) in SampleTGA.ofEveryChannelCount(&numbers) {
            let image = try ImageCodec.png(from: sample.file, fileName: "a.tga")
            let path = try folder.write(image.bytes, to: name)
            let mode = "import sys; from PIL import Image; print(Image.open(sys.argv[1]).mode)"
            #expect(try Program.run(["-c", mode, path], program: python).text == "\(name)\n")
            #expect(try Pillow.read(path, python: python) == Picture(png: image.bytes).colours)
        }
    }
}

/// A Python that has Pillow, and what it makes.
enum Pillow {
    static let python: String? = ["python3", "/usr/bin/python3"].first {
        (try? Program.run(["-c", "import PIL"], program: $0).code) == 0
    }

    /// Red, green, blue and alpha of all pixels of a file.
    static func read(_ path: String, python: String) throws -> [UInt8] {
        let script = """
            import sys
            from PIL import Image
            sys.stdout.buffer.write(Image.open(sys.argv[1]).convert("RGBA").tobytes())
            """
        return try Program.run(["-c", script, path], program: python).output
    }

    struct Pixels {
        let width: Int
        let height: Int
        let tolerance: Int
        /// Red, green, blue and alpha.
        let bytes: [UInt8]

        init(_ file: [UInt8]) {
            func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) } }
            (width, height, tolerance, bytes) = (number(0), number(4), Int(file[8]), Array(file.dropFirst(9)))
        }
    }
}
