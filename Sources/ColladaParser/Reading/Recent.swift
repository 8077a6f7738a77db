/// The few values that came last, for what elements next to each other have alike.
struct Recent<Value> {
    private var values: [Value] = []
    /// The oldest, once there are as many as are kept.
    private var oldest = 0
    private static var most: Int { 4 }

    func first(where matches: (Value) -> Bool) -> Value? { values.first(where: matches) }

    mutating func add(_ value: Value) {
        if values.count < Self.most {
            values.append(value)
        } else {
            values[oldest] = value
            oldest = (oldest + 1) % Self.most
        }
    }
}

extension Recent where Value: Equatable {
    /// A value in the memory of an equal one that came before.
    mutating func shared(_ value: Value) -> Value {
        if let known = first(where: { $0 == value }) { return known }
        add(value)
        return value
    }
}
