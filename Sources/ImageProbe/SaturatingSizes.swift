extension Int {
    /// Of numbers that are not negative.
    func saturatingTimes(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

extension Int64 {
    /// The product of numbers that are not negative, or the greatest number where it would be above that.
    static func saturatingProduct(_ factors: Int...) -> Int64 {
        factors.reduce(1) { saturating($0, times: Int64($1)) }
    }

    static func saturating(_ one: Int64, times other: Int64) -> Int64 {
        let (product, overflow) = one.multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
