/// The hot loop for indices: one load, one multiplication chain and one store for a token of up to seven digits.
enum IntegerScanner {
    /// Appends the whole numbers that fit from `start` on.
    ///
    /// - Returns: The end, or the first byte of a token that is anything else.
    static func scan(
        _ text: PaddedText, from start: Int, into values: inout [Int32], by method: ScanMethod = .best
    ) -> Int {
        values.appendBlocks(of: text, from: start) { place, end, block in
            fill(block, from: place, to: end, by: method)
        }
    }

    private static func fill(
        _ block: UnsafeMutableBufferPointer<Int32>, from start: UnsafeRawPointer, to end: UnsafeRawPointer,
        by method: ScanMethod
    ) -> Progress {
        var progress = Progress(place: start)
        guard let output = block.baseAddress else { return progress }
        var method = method
        while progress.count < block.count {
            if method != .words {
                if VectorScan.fits(progress, block.count, end) {
                    method = VectorScan.integers(&progress, into: output, block.count, from: start, to: end)
                    guard progress.count < block.count else { break }
                }
            } else if SpaceRun.fits(progress, block.count, start, end) {
                let before = progress.count
                SpaceRun.read(&progress, block.count, to: end) { token, after, count in
                    if after - token <= DigitBlock.size,
                        let value = DigitBlock.value(of: after - token, before: after)
                    {
                        output[count] = Int32(truncatingIfNeeded: value)
                    } else {
                        guard let (value, _) = slow(token) else { return false }
                        output[count] = value
                    }
                    return true
                }
                guard progress.count == before else { continue }
            }
            let token = skipSpace(from: progress.place, to: end)
            progress.place = token
            guard token < end else { break }
            let first = token.load(as: UInt8.self)
            let digits = DigitBlock(at: token + (Byte.isSign(first) ? 1 : 0))
            let after = token + (Byte.isSign(first) ? 1 : 0) + digits.count
            if Byte.isSpace(after.load(as: UInt8.self)), digits.count > 0 {
                let value = Int32(truncatingIfNeeded: digits.value)
                output[progress.count] = first == Byte.minus ? 0 &- value : value
                progress.place = after + 1
            } else if let (value, after) = slow(token) {
                output[progress.count] = value
                progress.place = after
            } else {
                break
            }
            progress.count += 1
        }
        return progress
    }

    /// Numbers of many digits, and whole numbers that are written as reals.
    @inline(never)
    private static func slow(_ token: UnsafeRawPointer) -> (value: Int32, after: UnsafeRawPointer)? {
        let bytes = UnsafeRawBufferPointer(tokenAt: token)
        guard let decimal = DecimalText(bytes), case .fits(let value) = WholeNumber(decimal) else { return nil }
        return (value, token + bytes.count)
    }
}
