// Whole files are removed under the gate, after a second look at their last use; partial ones under the lock of their
// key. So neither takes anything from a process that is using it, and a process that ends midway leaves references that
// lead nowhere at worst, which count as absent.

import DaeCore
package import DaeDiagnostics

extension DownloadCache {
    /// What was removed.
    package struct Removal: Sendable, Hashable {
        package var blobs = 0
        package var partials = 0
        /// Addresses that are not known any more.
        package var references = 0
        /// Of the files, whole and partial.
        package var bytes: Int64 = 0
    }

    /// What was used or written within this time is left alone by all but ``clear()``: somebody may be reading it.
    package static let protectedTime = Duration.seconds(600)

    /// Removes files until at most `bytes` are left: first those that no address leads to, then the longest unused.
    package func prune(to bytes: Int64) throws(CodedFailure) -> Removal {
        try CodedFailure.wrapping { () throws(DownloadFailure) in
            try removeFiles(downTo: bytes, .unusedSince(files.calls.now() - Self.protectedTime.components.seconds))
        }
    }

    /// Removes what was last used longer ago than `time`.
    package func prune(unusedFor time: Duration) throws(CodedFailure) -> Removal {
        try CodedFailure.wrapping { () throws(DownloadFailure) in
            let seconds = max(time, Self.protectedTime).components.seconds
            return try removeFiles(downTo: 0, .unusedSince(files.calls.now() - seconds))
        }
    }

    /// Removes everything but what is being fetched at the moment.
    package func clear() throws(CodedFailure) -> Removal {
        try CodedFailure.wrapping { () throws(DownloadFailure) in try removeFiles(downTo: 0, .any) }
    }

    private enum Age {
        case any
        /// Unix seconds.
        case unusedSince(Int64)

        func covers(_ lastUse: Int64) -> Bool {
            switch self {
            case .any: true
            case .unusedSince(let time): lastUse <= time
            }
        }
    }

    private enum Candidate {
        case blob(Blob)
        case partial(Partial)
    }

    private func removeFiles(downTo limit: Int64, _ age: Age) throws(DownloadFailure) -> Removal {
        guard try isUsable() else { return Removal() }
        let (blobs, partials) = (try listedBlobs(), try listedPartials())
        var rest = blobs.reduce(0) { $0 &+ $1.size } &+ partials.reduce(0) { $0 &+ $1.size }
        var removal = Removal()
        if rest > limit || limit == 0 {
            let addresses = try listedAddresses()
            let old =
                blobs.map { (isKnown: addresses[$0.sha256] != nil, time: $0.lastUse, Candidate.blob($0)) }
                + partials.map { (isKnown: true, time: $0.lastUse, Candidate.partial($0)) }
            let ordered = old.sorted { $0.isKnown != $1.isKnown ? $1.isKnown : $0.time < $1.time }
            for (_, time, candidate) in ordered where age.covers(time) && (rest > limit || limit == 0) {
                let bytes = try remove(candidate, age, &removal)
                removal.bytes &+= bytes
                rest &-= bytes
            }
        }
        try removeRemains(&removal)
        usage.set(nil)
        return removal
    }

    /// How many bytes are gone by it.
    private func remove(
        _ candidate: Candidate, _ age: Age, _ removal: inout Removal
    ) throws(DownloadFailure) -> Int64 {
        switch candidate {
        case .blob(let blob):
            let isRemoved = try whileRemoving {
                guard let status = files.linkStatus(of: blob.path), age.covers(status.changed) else { return false }
                return files.remove(blob.path)
            }
            guard isRemoved else { return 0 }
            removal.blobs += 1
            return blob.size
        case .partial(let partial):
            guard let lock = try CacheLock.attempt(partial.key, in: self),
                let status = files.linkStatus(of: partialPath(of: lock.key)), age.covers(status.changed)
            else { return 0 }
            PartialFile(holding: lock).discard()
            removal.partials += 1
            return status.size
        }
    }

    private func removeRemains(_ removal: inout Removal) throws(DownloadFailure) {
        removal.references += try removeUnsoundReferences()
        try removeStaleFiles()
    }

    /// Whether there is a cache to work on, which this program may.
    func isUsable() throws(DownloadFailure) -> Bool {
        try checkedVersion()
        guard files.status(of: folder) != nil else { return false }
        try prepare()
        return true
    }
}

// MARK: - After each download

extension DownloadCache {
    /// Holds the cache to its limit. That a download came is not undone by a failure here.
    func makeRoom(after added: Int64) {
        guard case .bytes(let limit) = sizeLimit else { return }
        if let estimate = usage.adding(added), estimate <= limit { return }
        guard let blobs = try? listedBlobs(), let partials = try? listedPartials() else { return }
        let size = blobs.reduce(0) { $0 &+ $1.size } &+ partials.reduce(0) { $0 &+ $1.size }
        usage.set(size)
        guard size > limit else { return }
        // Some room more, so that the next download does not have to make some again.
        guard let removal = try? prune(to: limit - limit / 10) else { return }
        usage.set(size &- removal.bytes)
    }
}

extension DownloadCache {
    /// Removes the references that lead to no whole blob; how many.
    func removeUnsoundReferences() throws(DownloadFailure) -> Int {
        var count = 0
        for key in try listedReferences() where removeUnsoundReference(of: key) { count += 1 }
        return count
    }

    /// Removes what ended processes have left and no other can use: temporaries, records without their bytes and bytes
    /// without their record, lock files without anything to lock. What is locked is left alone.
    @discardableResult
    func removeStaleFiles() throws(DownloadFailure) -> Int {
        var count = 0
        let temporary = FileSystem.temporarySuffix
        for key in try keys(in: "\(folder)/partial", endings: [".json", ".json" + temporary, ".part"]) {
            guard let lock = try CacheLock.attempt(key, in: self) else { continue }
            if files.remove(recordPath(of: key) + temporary) { count += 1 }
            let isThere = hasPartial(key)
            // Looks, and removes what is of no use.
            PartialFile(holding: lock).keep()
            if isThere, !hasPartial(key) { count += 1 }
        }
        for (_, name) in try names(below: "\(folder)/refs") {
            guard let key = Self.key(of: name, endings: [".json" + temporary]),
                let lock = try CacheLock.attempt(key, in: self)
            else { continue }
            if files.remove(referencePath(of: lock.key) + temporary) { count += 1 }
        }
        for (_, name) in try names(below: "\(folder)/locks") {
            guard let key = Self.key(of: name, endings: [".lock"]), !hasPartial(key),
                files.linkStatus(of: referencePath(of: key)) == nil
            else { continue }
            try CacheLock.attempt(key, in: self)?.removeFile()
        }
        return count
    }

    private func hasPartial(_ key: CacheKey) -> Bool {
        files.linkStatus(of: partialPath(of: key)) != nil || files.linkStatus(of: recordPath(of: key)) != nil
    }
}
