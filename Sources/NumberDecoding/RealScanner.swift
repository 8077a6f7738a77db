/// The hot loop for real numbers. No closure, no allocation and no bound check for a token; eight digits at a time.
enum RealScanner {
    /// Appends the plain finite numbers from `start` on.
    ///
    /// - Returns: The end, or the first byte of a token that is anything else.
    static func scan(
        _ text: PaddedText, from start: Int, into values: inout [Double], by method: ScanMethod = .best
    ) -> Int {
        PowersOfTen.exact.withUnsafeBufferPointer { powers in
            values.appendBlocks(of: text, from: start) { place, end, block in
                fill(block, from: place, to: end, powers: powers, by: method)
            }
        }
    }

    private static func fill(
        _ block: UnsafeMutableBufferPointer<Double>, from start: UnsafeRawPointer, to end: UnsafeRawPointer,
        powers: UnsafeBufferPointer<Double>, by method: ScanMethod
    ) -> Progress {
        var progress = Progress(place: start)
        guard let output = block.baseAddress else { return progress }
        var method = method
        while progress.count < block.count {
            if method != .words {
                if VectorScan.fits(progress, block.count, end) {
                    method = VectorScan.reals(&progress, into: output, block.count, from: start, to: end)
                    guard progress.count < block.count else { break }
                }
            } else if SpaceRun.fits(progress, block.count, start, end) {
                let before = progress.count
                SpaceRun.read(&progress, block.count, to: end) { token, after, count in
                    guard let value = plain(token, after, powers: powers) ?? any(token, powers: powers) else {
                        return false
                    }
                    output[count] = value
                    return true
                }
                guard progress.count == before else { continue }
            }
            progress.place = skipSpace(from: progress.place, to: end)
            guard progress.place < end, let (value, after) = number(at: progress.place, powers: powers) else { break }
            output[progress.count] = value
            progress.place = after
            progress.count += 1
        }
        return progress
    }

    /// Reads a whole token of any form; `nil` where it is no plain finite number.
    @inline(never)
    private static func any(_ token: UnsafeRawPointer, powers: UnsafeBufferPointer<Double>) -> Double? {
        number(at: token, powers: powers)?.value
    }

    /// Reads a token of at most eight digits on either side of its point; `nil` where it is anything else.
    @inline(__always)
    private static func plain(
        _ token: UnsafeRawPointer, _ end: UnsafeRawPointer, powers: UnsafeBufferPointer<Double>
    ) -> Double? {
        // Signs come as they like: a branch would be taken wrongly half the time.
        let other = UInt64(truncatingIfNeeded: token.load(as: UInt8.self) ^ Byte.minus)
        let minus = (other &- 1) &>> 63
        let digits = token + Int(truncatingIfNeeded: minus)
        let whole = DigitBlock(at: digits)
        let point = digits + whole.count
        var significand = whole.value
        var count = 0
        if point < end {
            count = end - point - 1
            guard point.load(as: UInt8.self) == Byte.point, count <= DigitBlock.size, whole.count + count > 0,
                let fraction = DigitBlock.value(of: count, before: end)
            else { return nil }
            significand = significand &* DigitBlock.powers[count] &+ fraction
        } else {
            // A block of eight digits may go on behind them.
            guard point == end, whole.count > 0 else { return nil }
        }
        guard significand <= PowersOfTen.greatestSignificand else { return nil }
        let magnitude = Double(Int64(truncatingIfNeeded: significand))
        let signed = Double(bitPattern: magnitude.bitPattern | minus &<< 63)
        return signed / powers[count]
    }

    /// Reads a whole token; `nil` where it is no plain finite number.
    @inline(__always)
    private static func number(
        at token: UnsafeRawPointer, powers: UnsafeBufferPointer<Double>
    ) -> (value: Double, after: UnsafeRawPointer)? {
        let first = token.load(as: UInt8.self)
        var place = token + (Byte.isSign(first) ? 1 : 0)

        var block = DigitBlock(at: place)
        var significand = block.value
        var digits = block.count
        place += block.count
        while block.count == DigitBlock.size {
            block = DigitBlock(at: place)
            significand = block.appended(to: significand)
            digits &+= block.count
            place += block.count
        }

        var exponent = 0
        if place.load(as: UInt8.self) == Byte.point {
            place += 1
            let point = place
            repeat {
                block = DigitBlock(at: place)
                significand = block.appended(to: significand)
                place += block.count
            } while block.count == DigitBlock.size
            exponent = point - place
            digits &-= exponent
        }
        guard digits > 0 else { return nil }

        let next = place.load(as: UInt8.self)
        if !Byte.isSpace(next) {
            guard Byte.isExponent(next) else { return nil }
            guard let (written, after) = shortExponent(at: place + 1) else { return slow(token) }
            exponent &+= written
            place = after
        }
        guard digits <= DecimalText.significandDigits else { return slow(token) }
        let isNegative = first == Byte.minus
        let value =
            Double(significand, exponent: exponent, isNegative: isNegative, powers: powers)
            ?? long(significand, exponent: exponent, isNegative: isNegative)
        guard let value else { return slow(token) }
        return value.isInfinite ? nil : (value, place)
    }

    /// An exponent of one to seven digits with white space behind it; `nil` for any other.
    @inline(__always)
    private static func shortExponent(at start: UnsafeRawPointer) -> (value: Int, after: UnsafeRawPointer)? {
        let sign = start.load(as: UInt8.self)
        let place = start + (Byte.isSign(sign) ? 1 : 0)
        let block = DigitBlock(at: place)
        let after = place + block.count
        guard (1..<DigitBlock.size).contains(block.count), Byte.isSpace(after.load(as: UInt8.self)) else {
            return nil
        }
        let value = Int(truncatingIfNeeded: block.value)
        return (sign == Byte.minus ? -value : value, after)
    }

    /// A number of up to nineteen digits; `nil` where these do not settle it.
    @inline(never)
    private static func long(_ significand: UInt64, exponent: Int, isNegative: Bool) -> Double? {
        guard significand != 0 else { return Double(pattern: 0, isNegative: isNegative) }
        switch EiselLemire.round(significand, exponent: exponent) {
        case .settled(let pattern): return Double(pattern: pattern, isNegative: isNegative)
        case .undecided: return nil
        }
    }

    /// Any number of digits, any exponent, at any cost.
    @inline(never)
    private static func slow(_ token: UnsafeRawPointer) -> (value: Double, after: UnsafeRawPointer)? {
        let bytes = UnsafeRawBufferPointer(tokenAt: token)
        guard let decimal = DecimalText(bytes) else { return nil }
        let value = Double(nearest: decimal)
        return value.isInfinite ? nil : (value, token + bytes.count)
    }
}
