/// How many of something there are, and which is the first, from 0.
struct Tally {
    private(set) var count = 0
    private(set) var first = 0

    mutating func add(_ index: Int) {
        if count == 0 { first = index }
        count += 1
    }
}
