// A model of what a machine keeps. Killing a process loses nothing that was written. A power cut may lose, tear or fill
// with zeros whatever was not synced, and undo changes of names in folders that were not; it never reorders the changes
// of one folder.

import DaeCore
import Glibc
import Synchronization

@testable import DaeDownload

/// A file system whose calls reach the disk until one of them, chosen beforehand, ends the process that makes them.
final class DyingSystem: Sendable {
    private struct Change {
        let folder: String
        let undo: @Sendable () -> Void
    }

    private struct State {
        var lastCall = Int.max
        var count = 0
        /// What was synced of a file, by its inode.
        var durable: [UInt64: [UInt8]] = [:]
        var changes: [Change] = []
        var graves = 0
        var clock: Int64
    }

    private let state: Mutex<State>
    /// Where files without a name are kept, for a power cut to give it back.
    private let graveyard: String
    private let boot: String

    /// - Parameter survivors: What an earlier boot has left, and so lasts.
    init(graveyard: String, boot: String, clock: Int64, survivors: [String]) {
        var durable: [UInt64: [UInt8]] = [:]
        for path in survivors { if let inode = inode(at: path) { durable[inode] = content(of: path) } }
        state = Mutex(State(durable: durable, clock: clock))
        self.graveyard = graveyard
        self.boot = boot
        mkdir(graveyard, 0o700)
    }

    /// Starts a process that lives until a call of this number, from 1, which does not happen any more; of a write, one
    /// half does.
    func start(lastCall: Int = .max) {
        state.withLock { state in
            state.count = 0
            state.lastCall = lastCall
        }
    }

    var count: Int { state.withLock { $0.count } }
    var clock: Int64 { state.withLock { $0.clock } }
    var isDead: Bool { state.withLock { $0.count >= $0.lastCall } }
    func wait(_ seconds: Int64) { state.withLock { $0.clock += seconds } }

    var files: FileSystem {
        FileSystem(
            calls: FileSystem.Calls(
                makeFolder: { path in self.live { mkdir(path, 0o700) } },
                open: { path, flags in self.live { self.open(path, flags) } },
                write: { descriptor, bytes in self.write(descriptor, bytes) },
                truncate: { descriptor, size in self.live { ftruncate(descriptor, off_t(size)) } },
                sync: { descriptor in self.live { self.sync(descriptor) } },
                rename: { path, target in self.live { self.rename(path, target) } },
                remove: { path in self.live { self.remove(path) } },
                setTime: { path, seconds in self.live { FileSystem.Calls.kernel.setTime(path, seconds) } },
                bootID: { self.boot }, now: { self.clock }))
    }

    private func live(_ call: () -> Int32) -> Int32 {
        let isAlive = state.withLock { state in
            if state.count < state.lastCall { state.count += 1 }
            return state.count < state.lastCall
        }
        guard isAlive else {
            errno = EIO
            return -1
        }
        return call()
    }

    private func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        let wasAlive = !isDead
        if live({ 0 }) == 0 { return Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
        if wasAlive { _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count / 2) }
        errno = EIO
        return -1
    }

    private func open(_ path: String, _ flags: Int32) -> Int32 {
        let isNew = inode(at: path) == nil
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0, isNew, let made = inode(at: path) else { return descriptor }
        state.withLock { $0.durable[made] = [] }
        note(in: folder(of: path)) { if inode(at: path) == made { unlink(path) } }
        return descriptor
    }

    private func sync(_ descriptor: Int32) -> Int32 {
        let path = path(of: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return -1 }
        state.withLock { state in
            if status.st_mode & S_IFMT == S_IFDIR {
                state.changes.removeAll { $0.folder == path }
            } else {
                state.durable[UInt64(status.st_ino)] = content(of: path)
            }
        }
        return 0
    }

    private func rename(_ path: String, _ target: String) -> Int32 {
        let old = bury(target)
        guard let moved = inode(at: path), Glibc.rename(path, target) == 0 else { return -1 }
        note(in: folder(of: target)) {
            guard inode(at: target) == moved else { return }
            if inode(at: path) == nil { Glibc.rename(target, path) } else { unlink(target) }
            if let old { link(old, target) }
        }
        return 0
    }

    private func remove(_ path: String) -> Int32 {
        let old = bury(path)
        guard unlink(path) == 0 else { return -1 }
        note(in: folder(of: path)) { if let old, inode(at: path) == nil { link(old, path) } }
        return 0
    }

    private func bury(_ path: String) -> String? {
        let grave = state.withLock { state in
            state.graves += 1
            return "\(graveyard)/\(state.graves)"
        }
        return link(path, grave) == 0 ? grave : nil
    }

    private func note(in folder: String, _ undo: @escaping @Sendable () -> Void) {
        state.withLock { $0.changes.append(Change(folder: folder, undo: undo)) }
    }

    /// Clears away what no process sees any more.
    func buryForGood() {
        for name in (try? FileSystem().names(in: graveyard)) ?? [] { unlink("\(graveyard)/\(name)") }
        rmdir(graveyard)
    }

    /// Loses what a machine may lose when its power goes; `files` are all there are.
    func cutPower(files: () -> [String], using numbers: inout some RandomNumberGenerator) {
        let (changes, durable) = state.withLock { ($0.changes, $0.durable) }
        for change in changes.dropFirst(Int.random(in: 0...changes.count, using: &numbers)).reversed() { change.undo() }
        for path in files() {
            guard let inode = inode(at: path), let synced = durable[inode] else { continue }
            let written = content(of: path)
            guard written != synced else { continue }
            let half = written.prefix(Int.random(in: 0...written.count, using: &numbers))
            let outcomes: [[UInt8]] = [
                written, synced, written + synced.dropFirst(written.count), Array(half),
                synced + [UInt8](repeating: 0, count: max(written.count - synced.count, 0)),
                half + [UInt8](repeating: 0, count: written.count - half.count),
            ]
            // What was synced before stays, unless it was cut since.
            let possible = outcomes.filter { written.starts(with: synced) ? $0.starts(with: synced) : true }
            guard let outcome = possible.randomElement(using: &numbers) else { continue }
            overwrite(path, with: outcome)
        }
    }
}

func content(of path: String) -> [UInt8] { FileSystem().content(of: path, limit: 1 << 24) ?? [] }

private func overwrite(_ path: String, with bytes: [UInt8]) {
    let descriptor = Glibc.open(path, O_WRONLY | O_TRUNC)
    _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    close(descriptor)
}

private func inode(at path: String) -> UInt64? { FileSystem().linkStatus(of: path)?.identity.inode }

private func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

private func path(of descriptor: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
