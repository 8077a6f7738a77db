// Every element of physics, kinematics and breps that stands in the text of a real model is in what is read of it.

import DaeArchive
import DaePipeline
import Glibc
import TestSupport
import Testing

@Suite(
    .enabled(
        if: Repository.corpus != nil,
        "the corpus of real models is not here; put it beside the checkout or name its folder in DAE_CORPUS"))
struct MechanicsCorpusTests {
    private static let figures: [(element: String, figure: @Sendable (Inspection) -> Int)] = [
        ("physics_material", { $0.physics.materials }), ("physics_model", { $0.physics.models }),
        ("physics_scene", { $0.physics.scenes }), ("rigid_body", { $0.physics.rigidBodies }),
        ("shape", { $0.physics.shapes }), ("rigid_constraint", { $0.physics.constraints }),
        ("force_field", { $0.physics.forceFields }), ("kinematics_model", { $0.kinematics.models }),
        ("kinematics_scene", { $0.kinematics.scenes }),
        ("articulated_system", { $0.kinematics.articulatedSystems }), ("joint", { $0.kinematics.joints }),
        ("link", { $0.kinematics.links }), ("formula", { $0.kinematics.formulas }),
    ]

    @Test func everyElementOfTheTextIsRead() throws {
        let corpus = try #require(Repository.corpus)
        var totals: [String: Int] = [:]
        var files = 0
        for path in try Repository.files(below: corpus) where path.hasSuffix(".dae") || path.hasSuffix(".zae") {
            guard let text = Self.markup(of: "\(corpus)/\(path)"), Self.isPromising(text) else { continue }
            let counts = Self.counts(text)
            guard Self.figures.contains(where: { counts[$0.element] != nil }),
                case .read(let inspection) = Outcome(path: "\(corpus)/\(path)", input: path)
            else { continue }
            files += 1
            for (element, figure) in Self.figures {
                let expected = counts[element] ?? 0
                totals[element, default: 0] += expected
                #expect(figure(inspection) == expected, "\(path): <\(element)>")
            }
        }
        print("\(files) files with physics or kinematics")
        for (element, _) in Self.figures { print("  <\(element)> \(totals[element] ?? 0)") }
        #expect(files >= 50)
        #expect((totals["joint"] ?? 0) >= 150 && (totals["link"] ?? 0) >= 200 && (totals["rigid_body"] ?? 0) >= 130)
    }

    /// The bytes of the document that is read of a file; `nil` where there is none.
    private static func markup(of path: String) -> [UInt8]? {
        do {
            let bundle = try Bundle.open(path: path)
            return try bundle.bytes(of: BundleManifest.scene(of: bundle).choice.entry, limit: 1 << 30)
        } catch { return nil }
    }

    /// Whether a wanted name stands anywhere: most models have none, and are not searched twice.
    private static func isPromising(_ text: [UInt8]) -> Bool {
        (text + [0]).withUnsafeBytes { bytes in
            guard let all = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
            return figures.contains { strstr(all, "<\($0.element)") != nil }
        }
    }

    /// How often each element begins, by a plain search for `<`; comments and extras left out.
    private static func counts(_ text: [UInt8]) -> [String: Int] {
        let wanted = Set(figures.map(\.element))
        var counts: [String: Int] = [:]
        var at = 0
        var skippedUntil: [UInt8]?
        while let start = text[at...].firstIndex(of: UInt8(ascii: "<")) {
            at = start + 1
            if let end = skippedUntil {
                if text[start...].starts(with: end) { skippedUntil = nil }
                continue
            }
            if text[start...].starts(with: Array("<!--".utf8)) {
                while at < text.count, !text[at...].starts(with: Array("-->".utf8)) { at += 1 }
                continue
            }
            let name = text[at...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
            guard name.count < 40, let first = name.first, first != UInt8(ascii: "?") else { continue }
            let word = String(decoding: name, as: UTF8.self)
            if wanted.contains(word) { counts[word, default: 0] += 1 }
            guard word == "extra" else { continue }
            let tag = text[at...].prefix { $0 != UInt8(ascii: ">") }
            if tag.last != UInt8(ascii: "/") { skippedUntil = Array("</extra>".utf8) }
        }
        return counts
    }
}
