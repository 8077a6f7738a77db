import DaeDiagnostics
import Glibc
import Testing

@testable import DaeImages

@Suite struct LibraryTests {
    @Test func aLibraryThatIsNotThereIsNamedWithItsPackage() throws {
        let text = strdup("libnone.so.1: no such file")
        defer { free(text) }
        let library = SystemLibrary("libnone", package: "libnone1") { UnsafePointer(text) }
        let fault = #expect(throws: ImageFault.self) { try library.load() }
        let error = CodedFailure(.tiff, try #require(fault))
        #expect(
            error.message == "the tiff image needs libnone, which cannot be loaded (libnone.so.1: no such file); "
                + "on Debian it is the package libnone1")
        #expect(error.code == .imageUnsupportedFormat)
    }

    @Test func aLibraryThatIsThereLoads() throws {
        try SystemLibrary("libsome", package: "libsome1") { nil }.load()
    }

    /// The program starts without them.
    @Test func nothingIsLinkedToALibraryThatIsLoadedLater() {
        for name in ["TIFFReadRGBAImageOriented", "WebPIUpdate", "jpeg_read_scanlines"] {
            #expect(dlsym(nil, name) == nil, "\(name)")
        }
    }
}
