import Glibc
import TestSupport
import Testing

/// What `dae inspect` shows of a scene's images.
@Suite struct ImageTableTests {
    private let folder: TemporaryFolder
    private let png: [UInt8]

    init() throws {
        folder = try TemporaryFolder()
        png = try Repository.fixture("images/stripes.png")
    }

    /// The lines on textures of a folder whose scene has these images, without their indent.
    private func lines(
        _ references: [String], _ files: [String: [UInt8]] = [:], columns: Int? = nil, arguments: [String] = []
    ) throws -> [String] {
        let images = references.enumerated().map { "<image id='i\($0)'><init_from>\($1)</init_from></image>" }.joined()
        try folder.write(
            "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset><library_images>\(images)</library_images></COLLADA>",
            to: "scene.dae")
        for (path, bytes) in files { try folder.write(bytes, to: path) }
        let environment = columns.map { ["COLUMNS": String($0)] } ?? [:]
        let outcome = try Program.run(["inspect"] + arguments + [folder.path], environment: environment)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let all = outcome.text.split(separator: "\n").map(String.init)
        let start = try #require(all.firstIndex { $0.hasPrefix("  textures") })
        let block = [all[start]] + all[(start + 1)...].prefix { $0.hasPrefix("            ") }
        if let columns { for line in block { #expect(line.count <= columns, "\(line)") } }
        return block.map { String($0.dropFirst(12)) }
    }

    @Test func ofNoImagesNothingIsSaid() throws {
        #expect(try lines([]) == ["none"])
    }

    @Test func oneImageIsOneLineWithItsPathInTheBundle() throws {
        #expect(try lines(["maps/a.png"], ["maps/a.png": png]) == ["32 × 32  PNG  maps/a.png"])
    }

    @Test func whatNeedsAnEyeComesFirst() throws {
        let lines = try lines(
            [
                "a.png", "MAPS/b.png", "c.png", "d.jpg", "e.png", "gone/f.png", "../../g.png",
                "http://example.org/h.png",
            ],
            [
                "a.png": png, "maps/b.png": png, "c.png": Array(png.dropLast(20)), "d.jpg": png, "e.png": [],
            ])
        #expect(
            lines == [
                "8 images: 1 missing, 1 blocked, 3 faulty, 1 on the web, 2 found   about 22 kB on a graphics card",
                "MISSING          gone/f.png",
                "BLOCKED          ../../g.png                leads out of the bundle",
                "32 × 32     PNG  c.png                      CUT SHORT",
                "32 × 32     PNG  d.jpg                      is PNG, not as named",
                "–                e.png                      EMPTY",
                "ON THE WEB       http://example.org/h.png   not fetched",
                "32 × 32     PNG  a.png",
                "32 × 32     PNG  maps/b.png                 (in other letters' case)",
                "dae resolve --missing \(folder.path)",
            ])
    }

    @Test func ofMoreThanTwelveTheWorstAreListedAndTheOthersCounted() throws {
        let names = (0..<40).map { "maps/\($0).png" }
        let there = names.filter { !["maps/3.png", "maps/20.png", "maps/39.png"].contains($0) }
        let lines = try lines(names, Dictionary(uniqueKeysWithValues: there.map { ($0, png) }))
        #expect(lines.first?.hasPrefix("40 images: 3 missing, 37 found   ") == true)
        #expect(lines[1...3] == ["MISSING       maps/3.png", "MISSING       maps/20.png", "MISSING       maps/39.png"])
        #expect(lines[4] == "32 × 32  PNG  maps/0.png")
        #expect(lines.dropFirst(13).first == "and 28 more: all found")
        #expect(lines.count == 15)
    }

    @Test func whatIsCountedSaysHowManyAreMissing() throws {
        let lines = try lines((0..<20).map { "none/\($0).png" } + ["a.png"], ["a.png": png])
        #expect(lines[13] == "and 9 more: 8 missing, 1 found")
    }

    @Test func aNarrowTerminalCutsPathsInTheMiddle() throws {
        let path = "models/house/interior/furniture/textures/leather_dark_brown_diffuse.png"
        let files = [path: png, "maps/cut.png": Array(png.dropLast(9))]
        let wide = try lines([path, "maps/cut.png"], files, columns: 120)
        #expect(wide.contains { $0.hasSuffix("  " + path) })
        let narrow = try lines([path, "maps/cut.png"], files, columns: 80)
        #expect(
            narrow.contains("32 × 32  PNG  models/house/inte…tures/leather_dark_brown_diffuse.png"), "\(narrow)"
        )
        // Not a terminal, no limit.
        #expect(try lines([path], files) == ["32 × 32  PNG  \(path)"])
    }

    @Test func wideCharactersTakeTwoColumns() throws {
        let name = "tex/木目テクスチャ.png"
        let lines = try lines(
            [name, "tex/b.png"], [name: Array(png.dropLast(9)), "tex/b.png": Array(png.dropLast(9))])
        #expect(lines.contains("32 × 32  PNG  tex/木目テクスチャ.png   CUT SHORT"), "\(lines)")
        #expect(lines.contains("32 × 32  PNG  tex/b.png                CUT SHORT"), "\(lines)")
    }

    @Test func theFullTableHasARowForEveryImage() throws {
        let names = (0..<20).map { "maps/\($0).png" }
        let outcome = try {
            _ = try lines(names, ["maps/7.png": png])
            return try Program.run(["inspect", "--full", folder.path])
        }()
        let rows = outcome.text.split(separator: "\n").filter { $0.hasPrefix("  i") }
        #expect(rows.count { $0.contains("  missing  ") } == 19)
        #expect(rows.contains { $0.hasPrefix("  i7   found    32 × 32  png") })
    }
}
