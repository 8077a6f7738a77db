/// A file whose download has just begun or goes on.
public struct ArrivingFile: Sendable {
    /// Its bytes, as they come. Whatever is made of them counts for nothing before ``ArrivingByteSource/sha256`` is there.
    public let source: ArrivingByteSource
    /// As ``DownloadedFile/suggestedName``, unless a later request ends elsewhere.
    public let suggestedName: String
}
