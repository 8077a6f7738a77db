import DaeScene
import TestSupport
import Testing

@testable import DaeExport

/// The checker finds what it looks for: else a valid file would mean nothing.
@Suite struct CheckerTests {
    /// A rigged, animated, textured document of ours.
    private static func original() throws -> [UInt8] {
        let walker = try Conversion(Repository.fixture("documents/skin.dae"))
        return walker.bytes
    }

    /// Replaces a text of the JSON by one of the same length.
    private static func replacing(_ old: String, by new: String, in bytes: [UInt8]) throws -> [UInt8] {
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        try #require(old.count == new.count)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: old) }, "not there")
        var changed = bytes
        changed.replaceSubrange(start..<start + old.count, with: new)
        return changed
    }

    @Test func aFileOfOursIsValid() throws {
        let checker = GLTFChecker(try Self.original())
        #expect(checker.faults.isEmpty, "\(checker.faults)")
    }

    @Test(arguments: [
        ("glTF", "glTX", "GLB_INVALID_MAGIC"), ("JSON{", "JSOX{", "GLB_UNEXPECTED_FIRST_CHUNK"),
        ("\"version\":\"2.0\"", "\"version\":\"3.0\"", "UNKNOWN_ASSET_MAJOR_VERSION"),
        ("\"POSITION\":0", "\"POSITION\":1", "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"),
        ("\"POSITION\":0", "\"POSITIOX\":0", "MESH_PRIMITIVE_NO_POSITION"),
        ("\"mode\":4", "\"mode\":9", "VALUE_NOT_IN_RANGE"),
        ("\"componentType\":5126", "\"componentType\":5199", "VALUE_NOT_IN_LIST"),
        ("\"JOINTS_0\"", "\"JOINTS_1\"", "MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY"),
        ("\"skin\":0", "\"skiX\":0", "NODE_SKINNED_MESH_WITHOUT_SKIN"),
        ("\"skin\":0", "\"skin\":7", "UNRESOLVED_REFERENCE"),
        ("\"mesh\":0", "\"mesX\":0", "NODE_SKIN_WITH_NON_SKINNED_MESH"),
        ("\"type\":\"MAT4\"", "\"type\":\"VEC4\"", "SKIN_IBM_INVALID_FORMAT"),
        ("\"target\":34963", "\"target\":34962", "BUFFER_VIEW_TARGET_OVERRIDE"),
        ("\"target\":34962", "\"tarXet\":34962", "BUFFER_VIEW_TARGET_MISSING"),
    ]) func aSpoiledTextIsFound(_ old: String, _ new: String, _ fault: String) throws {
        let spoiled = try Self.replacing(old, by: new, in: Self.original())
        let checker = GLTFChecker(spoiled)
        #expect(checker.names.contains(fault), "\(checker.names)")
    }

    @Test func numbersThatAreSpoiledAreFound() throws {
        let bytes = try Self.original()
        let checker = GLTFChecker(bytes)
        let file = try #require(checker.file)
        let start = bytes.count - file.binary.count
        var missed: [Int] = []
        // Every number of the file, made one that is none: where it is a float or an index, somebody must notice.
        for at in stride(from: 0, to: file.binary.count - 3, by: 4) {
            var spoiled = bytes
            spoiled.replaceSubrange(start + at..<start + at + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
            if GLTFChecker(spoiled).faults.isEmpty { missed.append(at) }
        }
        #expect(missed.isEmpty, "\(missed.count) places, the first at \(missed.first ?? 0)")
    }

    @Test func aShortFileIsFound() throws {
        let bytes = try Self.original()
        for length in stride(from: 0, to: bytes.count, by: 37) {
            #expect(!GLTFChecker(Array(bytes[..<length])).faults.isEmpty, "cut at \(length)")
        }
    }
}
