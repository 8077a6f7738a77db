import Synchronization

/// How many requests and streams each client has open. A class because all connections share it.
final class OpenRequests: Sendable {
    private let open = Mutex<[String: Int]>([:])

    /// A place among those of one name, which is given back with the value.
    ///
    /// - Parameter limit: Places at most; 0 for any number.
    /// - Returns: `nil` where all are taken.
    func take(_ name: String, limit: Int) -> Place? {
        let isTaken = open.withLock { open in
            let count = open[name] ?? 0
            guard limit == 0 || count < limit else { return false }
            open[name] = count + 1
            return true
        }
        return isTaken ? Place(name: name, owner: self) : nil
    }

    private func give(_ name: String) {
        open.withLock { open in
            let count = (open[name] ?? 1) - 1
            open[name] = count > 0 ? count : nil
        }
    }

    /// A class so that whoever drops it last, in whatever way an answer ends, gives it back.
    final class Place: Sendable {
        private let name: String
        private let owner: OpenRequests

        fileprivate init(name: String, owner: OpenRequests) { (self.name, self.owner) = (name, owner) }

        deinit { owner.give(name) }
    }
}
