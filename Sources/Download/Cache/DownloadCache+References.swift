import ContentHash

/// A whole content in the cache.
struct DownloadedBlob: Sendable, Hashable {
    let path: String
    let size: Int64
    let sha256: SHA256Digest
}

extension DownloadCache {
    private enum Look {
        case absent
        case sound(CacheReference)
        /// Refers to a blob that is not there, or that both cannot be right about.
        case unsound(blob: SHA256Digest?)
    }

    /// What an address gave before, with its blob marked as used; `nil` where nothing is known that can be relied on. A
    /// reference that cannot is removed.
    func reference(for key: CacheKey) -> CacheReference? {
        guard (try? checkedVersion()) != nil else { return nil }
        let found = try? whileUsing {
            let found = look(at: key)
            if case .sound(let reference) = found { touch(reference.sha256) }
            return found
        }
        switch found {
        case nil, .absent: return nil
        case .sound(let reference): return reference
        case .unsound:
            removeUnsoundReference(of: key)
            return nil
        }
    }

    /// Remembers what an address gave. Its blob has to be in the cache; ``PartialFile/commit(verifying:)`` puts it there.
    func store(_ reference: CacheReference, holding lock: CacheLock) throws(DownloadFailure) {
        try whileUsing { () throws(DownloadFailure) in
            let blob = path(of: reference.sha256)
            guard files.size(ofFile: blob) == reference.size else {
                throw FileSystem.failure("refer to", blob, "it was removed meanwhile")
            }
            try files.makeInnerFolder(referenceFolder(of: lock.key))
            try files.replace(referencePath(of: lock.key), with: reference.bytes(under: lock.key))
        }
    }

    /// A content by its digest, marked as used; `nil` where it is not in the cache. Its bytes are not looked at.
    func blob(of digest: SHA256Digest) -> DownloadedBlob? {
        guard (try? checkedVersion()) != nil else { return nil }
        return try? whileUsing {
            guard let size = files.size(ofFile: path(of: digest)) else { return nil }
            touch(digest)
            return DownloadedBlob(path: path(of: digest), size: size, sha256: digest)
        }
    }

    /// Marks a blob as used now. Where the folder is not ours to write in nobody prunes either.
    func touch(_ digest: SHA256Digest) {
        _ = files.calls.setTime(path(of: digest), files.calls.now())
    }

    /// Removes a reference unless it can be relied on; whether it was removed. Of a blob and a reference that disagree on
    /// its size both go, as one of them lies.
    @discardableResult
    func removeUnsoundReference(of key: CacheKey) -> Bool {
        let isRemoved = try? whileRemoving {
            guard case .unsound(let blob) = look(at: key) else { return false }
            if let blob { files.remove(path(of: blob)) }
            return files.remove(referencePath(of: key))
        }
        return isRemoved ?? false
    }

    private func look(at key: CacheKey) -> Look {
        let path = referencePath(of: key)
        guard files.linkStatus(of: path) != nil else { return .absent }
        guard let reference = CacheReference(of: key, at: path, files) else { return .unsound(blob: nil) }
        guard let size = files.size(ofFile: self.path(of: reference.sha256)) else { return .unsound(blob: nil) }
        return size == reference.size ? .sound(reference) : .unsound(blob: reference.sha256)
    }
}
