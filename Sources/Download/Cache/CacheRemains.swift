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
