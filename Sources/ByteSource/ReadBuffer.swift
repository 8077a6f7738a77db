extension UnsafeMutableRawBufferPointer {
    /// Room to read a source's bytes into, where it is large from the start of a page on; whoever asks for it deallocates
    /// it.
    ///
    /// Room of 128 KiB and more comes from the system, and 16 bytes behind a page's start is where it begins: to copy
    /// whole pages there takes AMD's processors five times as long as to anywhere else.
    package static func readBuffer(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        allocate(byteCount: byteCount, alignment: byteCount < 1 << 16 ? 16 : 4096)
    }
}
