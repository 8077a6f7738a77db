// Not a target of the package: scripts/gates/fuzz compiles it with libFuzzer's own main.
import DaeCore
import DaeDiagnostics

@testable import DaeArchive

/// The same bytes, as if behind a network: headers are read with their entries only.
private struct FarBytes: ByteSource {
    let near: MemoryByteSource
    var size: Int64 { near.size }
    var distance: ByteDistance { .far }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        near.read(at: offset, into: buffer)
    }
}

/// What an archive gives: paths with bytes or a code.
private func contents(of bundle: Bundle) -> [(path: String, bytes: [UInt8]?, code: String?)] {
    bundle.entries.map { entry in
        do throws(CodedFailure) {
            let bytes = try bundle.bytes(of: entry, limit: 1 << 20)
            guard bytes.count == Int(entry.size) else { fatalError("another size than told") }
            return (entry.path, bytes, nil)
        } catch {
            return (entry.path, nil, error.code.rawValue)
        }
    }
}

private func headerOffsets(of bundle: Bundle, _ limits: ArchiveLimits) -> [Int64] {
    // Found in the whole source, as when the bundle was opened: what stands behind the archive tells its end, too.
    guard case .archive(let archive) = bundle.store, let source = bundle.source,
        let end = try? DirectoryEnd.find(in: source),
        let records = try? DirectoryWalk.records(of: archive.bytes, end, limits: limits).records
    else { return [] }
    return records.map { Int64($0.headerOffset) }
}

/// What holds of every archive that opens.
private func check(_ bundle: Bundle, _ limits: ArchiveLimits, size: Int64) {
    let headers = headerOffsets(of: bundle, limits)
    var total: Int64 = 0
    var places: [Range<Int64>] = []
    for entry in bundle.entries {
        let parts = entry.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0 != "" && $0 != "." && $0 != ".." }), !entry.path.utf8.contains(0) else {
            fatalError("a path that leads out: \(entry.path)")
        }
        total += entry.size
        if case .archived(let place) = entry.location, case .at(let start) = place.start {
            // Its own header belongs to it.
            places.append(headers[place.index]..<start + entry.compressedSize)
        }
    }
    guard bundle.entries.count <= limits.entryCount, total <= limits.inflatedBytes.bytes(forArchiveOf: size) else {
        fatalError("above the budgets")
    }
    places.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    for (one, next) in zip(places, places.dropFirst()) where one.upperBound > next.lowerBound {
        fatalError("entries share bytes")
    }
    if let last = places.last, last.upperBound > size { fatalError("an entry beyond the file") }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = MemoryByteSource(Array(UnsafeBufferPointer(start: start, count: count)))
    let limits = ArchiveLimits(
        entryCount: 1000, inflatedBytes: .fixed(1 << 24), ratioThreshold: 1 << 16, nameBytes: 1000,
        directoryBytes: 1 << 16)
    guard let near = try? Bundle.open(source, name: "a.zip", limits: limits) else { return 0 }
    check(near, limits, size: source.size)
    guard case .archive = near.store, let far = try? Bundle.open(FarBytes(near: source), name: "a.zip", limits: limits)
    else { return 0 }
    let (here, there) = (contents(of: near), contents(of: far))
    guard here.elementsEqual(there, by: ==) else { fatalError("read from afar it is another archive") }
    return 0
}
