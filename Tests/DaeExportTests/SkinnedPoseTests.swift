// The file is played by a program in Python that shares nothing with the writer, nor with the tests' other checker.

import DaeExport
import DaeMesh
import DaeScene
import FoundationEssentials
import TestSupport
import Testing

/// Skins and morphs stand where the document says at any time, by the word of a reader of its own.
@Suite(.enabled(if: Numpy.python != nil, "needs Python with numpy (Debian: python3-numpy)"))
struct SkinnedPoseTests {
    private static let isFull = Repository.environment("DAE_TEST_FULL") == "1"
    /// Documents above this size are played in --full only.
    private static let sizeLimit = isFull ? Int.max : 700_000

    /// Documents of ours with channels or skins.
    @Test func theFixturesMoveAsTheirDocumentsSay() throws {
        let names = ["animations", "skin", "rich-1.4", "rich-1.5"]
        let played = try play(names.map { ($0, try Repository.fixture("documents/\($0).dae")) })
        #expect(played.count >= 2 && played.contains { $0.moved > 0.01 }, "\(played)")
    }

    @Test(
        .enabled(
            if: Repository.corpus != nil,
            "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
    func realModelsMoveAsTheirDocumentsSay() throws {
        let corpus = try #require(Repository.corpus)
        let animated = try Repository.table(corpus + "/MANIFEST.tsv").filter {
            $0["expect"] != "fails" && Int($0["animations"] ?? "") ?? 0 > 0
        }.compactMap { $0["path"] }.filter { $0.lowercased().hasSuffix(".dae") }
        var documents: [(String, [UInt8])] = []
        for path in animated {
            let bytes = try Repository.bytes(at: corpus + "/" + path)
            if bytes.count <= Self.sizeLimit { documents.append((path, bytes)) }
        }
        let played = try play(documents)
        #expect(Set(played.map(\.name)).count >= 10, "\(played.count) clips of \(animated.count) documents")
        #expect(Set(played.filter { $0.isSkinned && $0.moved > 0.01 }.map(\.name)).count >= 5, "\(played)")
    }

    private struct Played {
        let name: String
        let isSkinned: Bool
        /// How far the corner that moves most gets, as a share of the size.
        let moved: Double
    }

    private func play(_ documents: [(name: String, bytes: [UInt8])]) throws -> [Played] {
        let folder = try TemporaryFolder()
        var clips: [(name: String, isSkinned: Bool, clip: PosedClip)] = []
        for (number, document) in documents.enumerated() {
            guard let scene = try? Conversion.scene(of: document.bytes), !scene.channels.isEmpty else { continue }
            guard let conversion = try? Conversion(scene, options: Self.options) else { continue }
            let made = PosedClip.all(of: conversion, file: "\(number).glb")
            guard !made.isEmpty else { continue }
            try folder.write(conversion.bytes, to: "\(number).glb")
            for clip in made {
                try folder.write(clip.positionBytes, to: clip.positionsName)
                clips.append((document.name, !scene.controllers.isEmpty, clip))
            }
        }
        try folder.write("[" + clips.map(\.clip.request).joined(separator: ",") + "]", to: "poses.json")
        let python = try #require(Numpy.python)
        let said = try Program.run([Repository.root + "/Tests/Peers/poses.py", folder.path], program: python)
        try #require(said.code == 0, "\(said.errors)")
        let lines = said.text.split(separator: "\n")
        try #require(lines.count == clips.count)
        return try zip(clips, lines).map { clip, line in
            let found = try JSONNode(parsing: Array(line.utf8))
            let worst = try #require(found["worst"]?.number)
            #expect(found["corners"] == found["expected"], "\(clip.name)")
            #expect(worst <= 1e-4, "\(clip.name), \(clip.clip.animation): off by \(worst) of the size")
            return Played(name: clip.name, isSkinned: clip.isSkinned, moved: found["moved"]?.number ?? 0)
        }
    }

    /// All influences that a document has: four of them move a vertex otherwise.
    private static var options: ExportOptions {
        var options = ExportOptions()
        options.influences = .eight
        return options
    }
}

/// A Python that has numpy.
private enum Numpy {
    static let python: String? = ["python3", "/usr/bin/python3"].first {
        (try? Program.run(["-c", "import numpy"], program: $0).code) == 0
    }
}
