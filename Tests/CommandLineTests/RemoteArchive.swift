import Glibc
import TestSupport

/// An archive of some 200 MB, nearly all of it a hole in the file, whose scene of 1 MB lies behind the hole.
struct RemoteArchive {
    static let holeBytes = 200_000_000

    let path: String
    let size: Int

    struct Failure: Error { let errno: Int32 }

    /// - Parameter path: Where it is written; its folder is there.
    init(at path: String) throws {
        var builder = ZipBuilder()
        builder.add("readme.txt", "made by a test")
        builder.add("textures/padding.bin", []) { entry in
            entry.size = UInt32(Self.holeBytes)
            entry.compressedSize = UInt32(Self.holeBytes)
        }
        let front = builder.bytes().firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound ?? 0
        builder.add("models/scene.dae", Self.scene(positions: 40_000)) { entry in
            entry.offset = UInt32(front + Self.holeBytes)
        }
        let document = builder.entries[2]
        builder.add("textures/stripes.png", try Repository.fixture("images/stripes.png")) { entry in
            entry.offset = UInt32(front + Self.holeBytes + 30 + document.name.count) + document.size
        }
        var bytes = builder.bytes()
        // The record at the end says where the directory begins.
        let place = bytes.count - 6
        let directory = bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let moved = (directory + UInt32(Self.holeBytes)).littleEndian
        withUnsafeBytes(of: moved) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        size = bytes.count + Self.holeBytes
        self.path = path

        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw Failure(errno: errno) }
        defer { close(file) }
        guard pwrite(file, Array(bytes[..<front]), front, 0) == front,
            pwrite(file, Array(bytes[front...]), bytes.count - front, off_t(front + Self.holeBytes))
                == bytes.count - front
        else { throw Failure(errno: errno) }
    }

    /// About 25 bytes a position.
    static func scene(positions: Int) -> String {
        var numbers = SeededNumbers(seed: 5)
        let values = (0..<positions * 3).map { _ in "0.\(100_000 + numbers.next() % 900_000)" }.joined(separator: " ")
        let corners = (0..<positions / 3).map { "\($0 * 3) \($0 * 3 + 1) \($0 * 3 + 2)" }.joined(separator: " ")
        return """
            <COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'>
            <asset><unit meter='1'/><up_axis>Z_UP</up_axis></asset>
            <library_images><image id='i'><init_from>../textures/stripes.png</init_from></image></library_images>
            <library_geometries><geometry id='g'><mesh>
            <source id='p'><float_array id='a' count='\(positions * 3)'>\(values)</float_array>
            <technique_common><accessor source='#a' count='\(positions)' stride='3'><param name='X' type='float'/>
            <param name='Y' type='float'/><param name='Z' type='float'/></accessor></technique_common></source>
            <vertices id='v'><input semantic='POSITION' source='#p'/></vertices>
            <triangles count='\(positions / 9 * 3)'><input semantic='VERTEX' source='#v' offset='0'/>
            <p>\(corners)</p></triangles>
            </mesh></geometry></library_geometries>
            <library_visual_scenes><visual_scene id='s'><node id='n'><instance_geometry url='#g'/></node></visual_scene>
            </library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>
            """
    }
}
