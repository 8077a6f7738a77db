/// What a walker through a header says after a byte.
enum HeaderVerdict {
    case more
    /// The next so many bytes do not matter.
    case skip(Int)
    case settled(ImageProbeResult)
}
