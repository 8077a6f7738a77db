// Reads the document alone: what it refers to, images on the web above all, is followed once its bytes are verified.

import DaeArchive
import DaeCollada
import DaeCore
import DaeDiagnostics
import DaeDownload
import Synchronization

/// The reading of a lone document while it still arrives.
///
/// What goes wrong with it is told by nobody: the stages then read the verified file in the ordinary way. A class so that
/// a reading that nobody takes ends with it.
final class HeadStart: Sendable {
    /// What is read of it, and what for.
    private struct Reading: Sendable {
        /// The document's path in its bundle.
        let path: String
        let reading: ColladaParser.Reading
    }

    private let source: ArrivingByteSource
    private let count: Count
    private let task: Task<Reading?, Never>

    /// - Parameter progress: Called with the bytes of the document read so far, on the reading's own thread.
    init(
        _ file: ArrivingFile, _ options: AssetOperations.LiveOptions, progress: @escaping @Sendable (Int64) -> Void
    ) {
        let (source, count) = (file.source, Count())
        (self.source, self.count) = (source, count)
        task = Task {
            await withTaskCancellationHandler {
                try? await WorkThread.run { cancellation in
                    try Self.read(file, options, cancellation) {
                        count.set($0)
                        progress($0)
                    }
                }
            } onCancel: {
                // Else it might wait for bytes that are long in coming.
                source.stop()
            }
        }
    }

    deinit { task.cancel() }

    /// Ends the reading, and returns when nothing of it runs any more.
    func end() async {
        task.cancel()
        _ = await task.value
    }

    /// What it came to; waits until the document was read to its end. `nil` where that failed, or it was another document.
    ///
    /// - Parameter progress: Called with the bytes of the document read so far.
    func reading(
        of bundle: Bundle, _ entry: Bundle.Entry, progress: @escaping @Sendable (Int64) -> Void
    ) async -> ColladaParser.Reading? {
        switch bundle.kind {
        case .dae: break
        case .zip, .zae, .kmz, .folder: return nil
        }
        count.pass(to: progress)
        let read = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard let read, read.path == entry.path else { return nil }
        return read.reading
    }

    /// Whether these bytes are those that were read.
    func isOf(_ file: DownloadedFile) -> Bool { source.sha256 == file.sha256 }

    private static func read(
        _ file: ArrivingFile, _ options: AssetOperations.LiveOptions, _ cancellation: WorkThread.Cancellation,
        progress: (Int64) -> Void
    ) throws -> Reading? {
        guard Bundle.isReadInOrder(start: try file.source.bytes(at: 0, count: Bundle.probedBytes)) else { return nil }
        let bundle = try Bundle.open(file.source, name: file.suggestedName, limits: options.archiveLimits)
        guard let entry = bundle.entries.first else { return nil }
        let reading = try Inspector(options: options.collada).read(
            entry, of: bundle, progress: progress, isCancelled: { cancellation.isCancelled })
        return Reading(path: entry.path, reading: reading)
    }
}

extension HeadStart: Hashable {
    static func == (left: HeadStart, right: HeadStart) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension HeadStart {
    /// How far a reading has come, and who wants to know. A class since one thread reads and others ask.
    private final class Count: Sendable {
        private struct State {
            var bytes: Int64 = 0
            /// What the listener knows; 0 needs no telling.
            var told: Int64 = 0
            var listener: (@Sendable (Int64) -> Void)?
            /// Whether a thread is telling: it goes on with what comes meanwhile, so that all is told in order.
            var isTelling = false
        }

        private let state = Mutex(State())

        func set(_ bytes: Int64) {
            state.withLock { $0.bytes = bytes }
            tell()
        }

        /// Tells what was read until now, and from then on each step.
        func pass(to listener: @escaping @Sendable (Int64) -> Void) {
            state.withLock { state in
                state.listener = listener
                state.told = 0
            }
            tell()
        }

        /// Calls the listener with no lock held.
        private func tell() {
            let isMine = state.withLock { state in
                guard !state.isTelling else { return false }
                state.isTelling = true
                return true
            }
            guard isMine else { return }
            while let (listener, bytes) = next() { listener(bytes) }
        }

        /// What is to be told next; gives the turn back where there is nothing.
        private func next() -> (listener: @Sendable (Int64) -> Void, bytes: Int64)? {
            state.withLock { state in
                guard let listener = state.listener, state.bytes != state.told else {
                    state.isTelling = false
                    return nil
                }
                state.told = state.bytes
                return (listener, state.bytes)
            }
        }
    }

    /// The newest of a download, which may begin more than once. A class since the transfer's thread fills it.
    final class Slot: Sendable {
        private let content = Mutex<HeadStart?>(nil)

        func set(_ headStart: HeadStart) { content.withLock { $0 = headStart } }

        func take() -> HeadStart? { content.withLock { $0.take() } }
    }
}
