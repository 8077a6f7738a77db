/// The elements of one accessor as they are written: each begins at a multiple of four bytes.
struct CompactElements {
    /// What a decoder does to a compressed view after it was decompressed.
    enum Filter {
        case none, octahedral, quaternion, exponential
    }
    /// ``count`` times ``stride``.
    let bytes: [UInt8]
    let count: Int
    /// Numbers of one element, and what each is written as.
    let width: Int
    let component: GLTFBuffer.Component
    /// Whether the greatest number stands for 1.
    let isNormalized: Bool
    /// Anything but ``Filter/none`` is of a compressed file alone: the bytes are those from before the decoder's.
    let filter: Filter
    /// Of whole numbers.
    var bounds: (least: [Double], most: [Double])?

    /// Bytes from an element to the next.
    var stride: Int { (width * component.size + 3) / 4 * 4 }

    /// - Parameters:
    ///   - values: As many an element as fill its bytes, those behind `width` of no meaning.
    ///   - width: Numbers of one element.
    init<Value: BitwiseCopyable>(
        _ values: [Value], count: Int, width: Int, _ component: GLTFBuffer.Component, isNormalized: Bool = false,
        _ filter: Filter = .none
    ) {
        bytes = values.withUnsafeBytes { Array($0) }
        (self.count, self.width, self.component) = (count, width, component)
        (self.isNormalized, self.filter) = (isNormalized, filter)
    }

    /// Floats as they are.
    init(floats values: [Float], width: Int) {
        self.init(values, count: values.count / width, width: width, .float)
    }
}
