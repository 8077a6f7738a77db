/// Files for numbers that would take too much memory.
public struct NumberSpool: Sendable {
    /// One file, read and written at places; what is written over is replaced. Used by several threads at once only for
    /// reading.
    public struct File: Sendable {
        public var write: @Sendable (_ bytes: UnsafeRawBufferPointer, _ offset: Int64) throws -> Void
        /// Fills the buffer as far as it can; gives how many bytes.
        public var read: @Sendable (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

        public init(
            write: @escaping @Sendable (_ bytes: UnsafeRawBufferPointer, _ offset: Int64) throws -> Void,
            read: @escaping @Sendable (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int
        ) {
            self.write = write
            self.read = read
        }
    }

    /// Makes a file that nobody else sees, gone with its last use.
    public var open: @Sendable () throws -> File

    public init(open: @escaping @Sendable () throws -> File) {
        self.open = open
    }
}
