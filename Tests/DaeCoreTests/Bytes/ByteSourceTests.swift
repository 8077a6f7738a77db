import TestSupport
import Testing

@testable import DaeCore

@Suite struct ByteSourceTests {
    private let sample = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    @Test func aFileIsReadAtAnyPlace() throws {
        let folder = try TemporaryFolder()
        let file = try FileByteSource(path: try folder.write(sample, to: "a.bin"))
        #expect(file.size == 1000)
        #expect(try file.bytes(at: 0, count: 1000) == sample)
        #expect(try file.bytes(at: 990, count: 1000) == Array(sample[990...]))
        #expect(try file.bytes(at: 1000, count: 5) == [])
        #expect(try file.bytes(at: -1, count: 0) == [])
    }

    @Test func aMissingFileIsToldApartFromAnUnreadableOne() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "plain")
        for path in ["/nowhere", "/plain/below"] {
            let error = #expect(throws: ByteSourceError.self) { try FileByteSource(path: folder.path + path) }
            #expect(error?.isMissing == true)
        }
        let error = #expect(throws: ByteSourceError.self) { try FileByteSource(path: folder.path) }
        #expect(error?.isMissing == false)
        #expect(error?.reason == "it is a folder, where a regular file was expected")
    }

    @Test func whatAPathLeadsToIsFoundAtOnce() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(sample, to: "a.bin")
        #expect(symlink("a.bin", folder.path + "/link") == 0)
        for path in [path, folder.path + "/link"] {
            guard case .file(let file) = try FileByteSource.find(path: path) else {
                Issue.record("\(path) is a file")
                continue
            }
            #expect(try file.bytes(at: 0, count: 1000) == sample)
        }
        guard case .folder = try FileByteSource.find(path: folder.path) else {
            Issue.record("it is a folder")
            return
        }
        for path in ["/nowhere", "/a.bin/below", "/a.bin\0"] {
            let error = #expect(throws: ByteSourceError.self) { try FileByteSource.find(path: folder.path + path) }
            #expect(error?.isMissing == true)
        }
    }

    @Test func aPipeIsRefusedWithoutWaitingForItsWriter() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: ByteSourceError.self) { try FileByteSource(path: path) }
        #expect(error?.reason == "it is a pipe, where a regular file was expected")
    }

    @Test func aPathWithANULIsNotCutThere() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: "a")
        #expect(throws: ByteSourceError.self) { try FileByteSource(path: folder.path + "/a\0b") }
    }

    @Test func aFileThatShrinksWhileReadIsAnError() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(sample, to: "a.bin")
        let file = try FileByteSource(path: path)
        #expect(truncate(path, 10) == 0)
        #expect(try file.bytes(at: 0, count: 10) == Array(sample[..<10]))
        #expect(throws: ByteSourceError.self) { try file.bytes(at: 0, count: 11) }
    }

    @Test func aSliceIsAWindowAndNeverLeavesIt() throws {
        let slice = SlicedByteSource(MemoryByteSource(sample), from: 100, size: 50)
        #expect(slice.size == 50)
        #expect(try slice.bytes(at: 0, count: 1000) == Array(sample[100..<150]))
        #expect(try slice.bytes(at: 49, count: 9) == [sample[149]])
        #expect(try slice.bytes(at: 50, count: 9) == [])
    }

    @Test(arguments: [(-5, 10), (995, 10), (2000, 10), (.max, .max), (0, .max), (10, -1)] as [(Int64, Int64)])
    func aSliceIsCutToItsBase(from start: Int64, size: Int64) throws {
        let slice = SlicedByteSource(MemoryByteSource(sample), from: start, size: size)
        let first = Int(min(max(0, start), 1000))
        let expected = Array(sample[first...].prefix(Int(max(0, min(size, 1000)))))
        #expect(try slice.bytes(at: 0, count: 2000) == expected)
        #expect(slice.size == Int64(expected.count))
    }
}
