/// `xs:dateTime`: `-?yyyy-mm-ddThh:mm:ss(.s+)?(Z|±hh:mm)?`.
enum DateForm {
    static func isDateTime(_ text: Span<UInt8>) -> Bool {
        var cursor = Cursor(at: text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0)
        let start = cursor.at
        guard let year = cursor.number(text, atLeast: 4), year != 0 else { return false }
        // More than four digits only where they are needed.
        guard cursor.at - start == 4 || text[start] != UInt8(ascii: "0"), cursor.take("-", text) else { return false }
        guard let month = cursor.pair(text), (1...12).contains(month), cursor.take("-", text) else { return false }
        guard let day = cursor.pair(text), day >= 1, day <= days(in: month, of: year), cursor.take("T", text) else {
            return false
        }
        guard let hour = cursor.pair(text), cursor.take(":", text) else { return false }
        guard let minute = cursor.pair(text), minute < 60, cursor.take(":", text) else { return false }
        guard let second = cursor.pair(text), second < 60 else { return false }
        var hasFraction = false
        if cursor.take(".", text) {
            guard let fraction = cursor.number(text, atLeast: 1) else { return false }
            hasFraction = fraction != 0
        }
        // The end of a day may be written as its 24th hour.
        guard hour < 24 || (hour == 24 && minute == 0 && second == 0 && !hasFraction) else { return false }
        return isZone(text, from: cursor)
    }

    private static func isZone(_ text: Span<UInt8>, from start: Cursor) -> Bool {
        var cursor = start
        guard cursor.at < text.count else { return true }
        if cursor.take("Z", text) { return cursor.at == text.count }
        guard cursor.take("+", text) || cursor.take("-", text), let hour = cursor.pair(text), cursor.take(":", text)
        else { return false }
        guard let minute = cursor.pair(text), cursor.at == text.count else { return false }
        return (hour < 14 && minute < 60) || (hour == 14 && minute == 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31  // integers: all other months
        }
    }

    private struct Cursor {
        var at: Int

        mutating func take(_ character: Unicode.Scalar, _ text: Span<UInt8>) -> Bool {
            guard at < text.count, text[at] == UInt8(ascii: character) else { return false }
            at += 1
            return true
        }

        /// A run of digits; the number stops growing at 18 of them, which no date needs.
        mutating func number(_ text: Span<UInt8>, atLeast least: Int) -> Int? {
            let start = at
            var value = 0
            while at < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[at]) {
                if at - start < 18 { value = value * 10 + Int(text[at] - UInt8(ascii: "0")) }
                at += 1
            }
            return at - start >= least ? value : nil
        }

        mutating func pair(_ text: Span<UInt8>) -> Int? {
            let start = at
            let value = number(text, atLeast: 2)
            return at - start == 2 ? value : nil
        }
    }
}
