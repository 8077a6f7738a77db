/// One pixel of a TGA.
struct TGAPixel {
    enum Form {
        case grey
        case colour(BitFields)
        /// Values of the colours, one behind the other; `first` is the index of the first.
        case mapped(colours: [UInt8], first: Int)
    }

    /// In the file.
    let bytes: Int
    /// When decoded.
    let channels: Int
    let form: Form

    func write(_ file: FileBytes, at place: Int, to output: inout [UInt8], at target: Int) {
        switch form {
        case .grey:
            for channel in 0..<channels { output[target + channel] = file.all[place + channel] }
        case .colour(let fields): fields.write(file.little(place, bytes: bytes), to: &output, at: target)
        case .mapped(let colours, let first):
            let start = (Int(file.little(place, bytes: bytes)) - first) * channels
            // No colour there: it stays black.
            guard start >= 0, start < colours.count else { return }
            for channel in 0..<channels { output[target + channel] = colours[start + channel] }
        }
    }
}
