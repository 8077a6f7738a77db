/// How many workers there may be at once, whatever they are for. Where both wait, jobs and requests take turns.
actor WorkerPlaces {
    private var free: Int
    private var requests: [CheckedContinuation<Void, Never>] = []
    private var turn = Turn.anyones

    private enum Turn {
        case anyones
        /// A job found no place, and has the next but one: a request is before it.
        case jobsAfterRequest
        /// A job has the next place that is free, or the one that is.
        case jobs
    }

    init(_ count: Int) { free = count }

    /// Requests that wait.
    var waiting: Int { requests.count }

    /// Takes a place for a job, where one is free.
    func acquireForJob() -> Bool {
        guard free > 0 else {
            if turn == .anyones { turn = .jobs }
            return false
        }
        free -= 1
        turn = requests.isEmpty ? .anyones : .jobsAfterRequest
        return true
    }

    /// Waits for a place for a request.
    func acquireForRequest() async {
        let kept = turn == .jobs ? 1 : 0
        if free > kept {
            free -= 1
            return
        }
        await withCheckedContinuation { requests.append($0) }
    }

    /// Gives back a place.
    func release() {
        free += 1
        hand()
    }

    /// Gives back what was taken for a job, of which there is none.
    func releaseUnused() {
        turn = .anyones
        release()
    }

    /// No job is taken any more.
    func endJobs() {
        turn = .anyones
        hand()
    }

    private func hand() {
        while !requests.isEmpty, free > (turn == .jobs ? 1 : 0) {
            free -= 1
            if turn == .jobsAfterRequest { turn = .jobs }
            requests.removeFirst().resume()
        }
    }
}
