import DaeCollada
import DaeExport
import DaeMesh
import DaeScene
import TestSupport
import Testing

/// Scenes whose arrays lie out of memory.
@Suite struct ArchivedSceneTests {
    private static func scene(_ document: [UInt8], _ arrays: ColladaOptions.ArrayPlace) throws -> Scene {
        var options = ColladaOptions()
        options.arrays = arrays
        options.spool = NumberSpool(fileBytes: 1 << 30)
        options.spool?.memoryBytes = 0
        let parser = ColladaParser(options: options)
        try document.withUnsafeBytes { try parser.read($0) }
        return try parser.finish().document.scene(options: options).scene
    }

    @Test(arguments: [
        "skin", "skin-over-morph", "animations", "rich-1.4", "rich-1.5", "version-1.3", "polygons", "polylist",
        "tristrips",
        "several-p", "two-instances",
    ])
    func theyBecomeTheSameFile(_ name: String) throws {
        let document = try Repository.fixture("documents/\(name).dae")
        let (inMemory, archived) = (try Self.scene(document, .memory), try Self.scene(document, .archive))
        #expect(archived.geometries.allSatisfy { $0.positions.isEmpty || !$0.positions.isInMemory })
        #expect(archived.channels.allSatisfy { !$0.curve.values.isInMemory })
        let (left, right) = (try Conversion(inMemory), try Conversion(archived))
        #expect(left.bytes == right.bytes)
        #expect(left.report == right.report)
    }

    @Test func meshesAndCurvesAreTheSame() throws {
        let document = try Repository.fixture("documents/rich-1.4.dae")
        let (inMemory, archived) = (try Self.scene(document, .memory), try Self.scene(document, .archive))
        #expect(archived.geometries == inMemory.geometries)
        #expect(archived.channels == inMemory.channels)
        #expect(!inMemory.channels.isEmpty && inMemory.geometries.contains { $0.mesh != nil })
    }
}
