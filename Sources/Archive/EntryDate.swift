/// When an entry's file was last changed, to the second.
public struct EntryDate: Sendable, Hashable {
    public enum Zone: Sendable, Hashable {
        /// The zone of the machine that packed it, which ZIP does not name.
        case unknown
        case utc
    }

    /// From 1970-01-01 00:00:00 in its zone, without leap seconds.
    public let seconds: Int64
    public let zone: Zone

    /// `nil` where month or day are 0, as writers without a clock put them, or cannot be.
    init?(dosDate date: UInt16, time: UInt16) {
        let (year, month, day) = (Int64(date >> 9) + 1980, Int64(date >> 5 & 15), Int64(date & 31))
        let (hour, minute, second) = (Int64(time >> 11), Int64(time >> 5 & 63), Int64(time & 31) * 2)
        guard (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60 else { return nil }
        seconds = Self.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        zone = .unknown
    }

    init(unixSeconds: Int32) {
        seconds = Int64(unixSeconds)
        zone = .utc
    }

    /// - Parameter ticks: Of 100 ns from 1601 on.
    init?(ntfsTicks ticks: UInt64) {
        seconds = Int64(ticks / 10_000_000) - 11_644_473_600
        zone = .utc
        // Beyond the year 9999 ISO 8601 needs another form.
        guard seconds < 253_402_300_800 else { return nil }
    }

    /// Days from 1970-01-01 in the Gregorian calendar, of which a year is taken to begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private var calendarDay: (year: Int64, month: Int64, day: Int64) {
        let days = (seconds - Self.secondOfDay(seconds)) / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    private static func secondOfDay(_ seconds: Int64) -> Int64 { ((seconds % 86_400) + 86_400) % 86_400 }
}

extension EntryDate: CustomStringConvertible {
    /// ISO 8601: `2024-01-31T12:00:00`, with `Z` behind it where it is UTC.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(24)
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends ``description``, in ASCII: a listing has hundreds of thousands of them.
    public func write(to text: inout [UInt8]) {
        let (year, month, day) = calendarDay
        let second = Self.secondOfDay(seconds)
        func add(_ number: Int64, before mark: Unicode.Scalar?) {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10))
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
            if let mark { text.append(UInt8(ascii: mark)) }
        }
        if (1000...9999).contains(year) {
            add(year / 100, before: nil)
            add(year % 100, before: "-")
        } else {
            text += "\(year)-".utf8
        }
        add(month, before: "-")
        add(day, before: "T")
        add(second / 3600, before: ":")
        add(second / 60 % 60, before: ":")
        add(second % 60, before: nil)
        switch zone {
        case .unknown: break
        case .utc: text.append(UInt8(ascii: "Z"))
        }
    }
}
