/// Values by keys that nearly always come in rising order, as the places of elements in a document do: looked up by halving,
/// and no key is hashed.
struct RisingTable<Value> {
    private var keys: [Int] = []
    private var values: [Value] = []

    var isEmpty: Bool { keys.isEmpty }

    subscript(key: Int) -> Value? {
        let place = place(of: key)
        return place < keys.count && keys[place] == key ? values[place] : nil
    }

    /// Keeps a value in place of one that the key had.
    mutating func set(_ value: consuming Value, at key: Int) {
        let place = place(of: key)
        if place < keys.count, keys[place] == key {
            values[place] = value
        } else if place == keys.count {
            keys.append(key)
            values.append(value)
        } else {
            keys.insert(key, at: place)
            values.insert(value, at: place)
        }
    }

    /// The memory is used again.
    mutating func removeAll() {
        // Mostly there are few, and taken away one by one they cost less than replaced by none.
        while keys.popLast() != nil {}
        while values.popLast() != nil {}
    }

    /// Of the first key that is not smaller; the number of keys where all are.
    private func place(of key: Int) -> Int {
        guard let last = keys.last, last >= key else { return keys.count }
        if last == key, keys.count < 2 || keys[keys.count - 2] < key { return keys.count - 1 }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
