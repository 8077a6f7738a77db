import ByteSource
import Glibc

extension Unpacker {
    // MARK: - Before

    /// Whether all of it may be put into the target, as far as can be told before anything is written.
    func check(
        _ plan: UnpackPlan, _ target: borrowing UnpackTarget, _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        switch target.place {
        case .missing: return
        case .present: break
        }
        var path: [UInt8] = []
        do throws(SystemFailure) {
            var cursor = try FolderCursor(target.ground)
            for entry in plan.entries {
                path = entry.unpackedPath
                guard !isCancelled() else { throw SystemFailure(code: ECANCELED) }
                let name: FileName
                do throws(SystemFailure) { name = try cursor.enter(folderOf: path) } catch {
                    guard error.code == ENOENT else { throw error }
                    continue
                }
                switch try cursor.folder.occupant(name) {
                case .nothing: break
                case .file:
                    switch conflict {
                    case .refuse: throw SystemFailure(code: EEXIST)
                    case .replaceFiles: break
                    }
                case .folder, .other: throw SystemFailure(code: ENOTDIR)
                }
            }
        } catch {
            throw Self.obstacle(error, at: target.path(of: path))
        }
    }

    private static func obstacle(_ failure: SystemFailure, at path: String) -> UnpackError {
        switch failure.code {
        case ECANCELED: .cancelled
        case EEXIST: .present(path)
        case ENOTDIR, ELOOP: .inTheWay(path)
        default: .cannotWrite(path, failure)
        }
    }

    // MARK: - Writing

    func write(
        _ plan: UnpackPlan, of bundle: Bundle, to files: borrowing OpenFolder, _ isCancelled: () -> Bool
    ) throws(UnpackError) -> Result {
        var result = Result()
        var cursor: FolderCursor
        do throws(SystemFailure) { cursor = try FolderCursor(files, missing: .make) } catch {
            throw .cannotWrite(folder, error)
        }
        let chunk = UnsafeMutableRawBufferPointer.readBuffer(byteCount: 1 << 17)
        defer { chunk.deallocate() }
        for entry in plan.entries {
            let reader: EntryReader
            do { reader = try bundle.reader(for: entry) } catch { throw UnpackError(error) }
            let file: Int32
            do throws(SystemFailure) {
                let name = try cursor.enter(folderOf: entry.unpackedPath)
                file = try cursor.folder.makeFile(name)
            } catch {
                throw .cannotWrite(entry.path, error)
            }
            do throws(UnpackError) { try Self.copy(reader, to: file, chunk, isCancelled) } catch {
                close(file)
                throw error
            }
            // What a disk on the network does not take is said here.
            guard close(file) == 0 else { throw .cannotWrite(entry.path, .last) }
            result.files += 1
            result.bytes += reader.position
        }
        return result
    }

    private static func copy(
        _ reader: EntryReader, to file: Int32, _ chunk: UnsafeMutableRawBufferPointer, _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        while true {
            guard !isCancelled() else { throw .cancelled }
            let count: Int
            do { count = try reader.read(into: chunk) } catch { throw UnpackError(error) }
            guard count > 0 else { return }
            var at = 0
            while at < count {
                let written = Glibc.write(file, chunk.baseAddress.map { $0 + at }, count - at)
                if written >= 0 {
                    at += written
                } else if errno != EINTR {
                    throw .cannotWrite(reader.entry.path, .last)
                }
            }
        }
    }

    // MARK: - Afterwards

    /// Puts what was written in its place.
    func place(
        _ partial: borrowing PartialFolder, in target: borrowing UnpackTarget, _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        let name: FileName
        switch target.place {
        case .missing(let missing): name = missing
        case .present: return try merge(partial, into: target, isCancelled)
        }
        do throws(SystemFailure) { try partial.moveFiles(to: target.ground, as: name) } catch {
            switch error.code {
            // Only an empty folder that was made meanwhile is replaced.
            case ENOTEMPTY, EEXIST, ENOTDIR: throw .occupied(folder)
            default: throw .cannotWrite(folder, error)
            }
        }
    }

    private func merge(
        _ partial: borrowing PartialFolder, into target: borrowing UnpackTarget, _ isCancelled: () -> Bool
    ) throws(UnpackError) {
        let replaced: OpenFolder
        do throws(SystemFailure) { replaced = try partial.makeReplaced() } catch {
            throw .cannotWrite(folder, error)
        }
        var placement = Placement(conflict, links: links)
        do throws(Placement.Stop) {
            try placement.run(partial.files, to: target.ground, replaced: replaced, isCancelled: isCancelled)
        } catch {
            let failed = placement.rollBack(to: partial.files, from: target.ground, replaced: replaced)
            let cause = Self.obstacle(error.failure, at: target.path(of: error.path))
            guard failed.isEmpty else {
                throw cause.leaving(failed, movedIn: folder, partial: target.path(of: partial.name))
            }
            throw cause.undone
        }
    }
}
