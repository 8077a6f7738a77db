import DaeArchive
import DaeCore
import DaeDownload
import DaePipeline
import Testing

/// The compiler gives the frame of an asynchronous function 16 bytes of alignment and no more: a value that wants more
/// is written beside its place, and spoils what lies there.
@Suite struct FrameTests {
    @Test(arguments: [
        ("AssetState", MemoryLayout<AssetState>.alignment), ("Model", MemoryLayout<Model>.alignment),
        ("AssetFile", MemoryLayout<AssetFile>.alignment), ("OpenedBundle", MemoryLayout<OpenedBundle>.alignment),
        ("AssetSummary", MemoryLayout<AssetSummary>.alignment), ("SHA256Digest", MemoryLayout<SHA256Digest>.alignment),
        ("LiveOptions", MemoryLayout<AssetOperations.LiveOptions>.alignment),
        ("LiveBundle", MemoryLayout<LiveBundle>.alignment), ("Result", MemoryLayout<Inspector.Result>.alignment),
        ("DownloadedFile", MemoryLayout<DownloadedFile>.alignment),
        ("DownloadRequest", MemoryLayout<DownloadRequest>.alignment),
    ])
    func whatTasksHoldFitsTheirFrames(_ type: (name: String, alignment: Int)) {
        #expect(type.alignment <= 16, "\(type.name)")
    }
}
