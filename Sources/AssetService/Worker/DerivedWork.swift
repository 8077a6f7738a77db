import Daedalus
import Glibc

/// Makes a model of glTF.
struct ModelWork: Sendable {
    let order: WorkerOrder

    func run() async throws {
        guard let output = order.output else { return }
        var options = try order.options()
        options.collada.retention = .everything
        let opened = try await order.bundle(.scene, options)
        var named = ExportOptions()
        named.generator = "Daedalus \(Daed.version)"
        let settings = named
        let place = order.serviceFolder.place(of: output)
        defer { unlink(place) }
        _ = try await opened.run { opened, isCancelled in
            let choice = try opened.choice()
            let result = try opened.inspect(choice, isCancelled: isCancelled)
            let budget = opened.conversionBudget(of: result)
            return try ExportFormat.glb.write(
                result.scene, to: place, images: try opened.images(of: result, choice, budget), options: settings,
                budget: budget, isCancelled: isCancelled)
        }
        try Durable.sync(place)
        guard rename(place, output) == 0 else { throw StorageError(output, errno) }
        try Durable.sync(folderOf: output)
    }
}

/// Copies one entry of a bundle.
struct EntryWork: Sendable {
    let order: WorkerOrder
    let path: String

    func run() async throws {
        guard let output = order.output else { return }
        let opened = try await order.bundle(.content, try order.options())
        let (path, folder) = (path, order.serviceFolder)
        try await opened.run { opened, isCancelled in
            guard let entry = opened.bundle.entry(at: path) else { throw NoEntry(path: path) }
            let place = folder.place(of: output)
            let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw StorageError(output, errno) }
            do {
                let reader = try opened.bundle.reader(for: entry)
                let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
                defer { chunk.deallocate() }
                while case let count = try reader.read(into: chunk), count > 0 {
                    if isCancelled() { throw CancellationError() }
                    try WholeFile.write(Array(chunk[..<count])[...], to: descriptor, output)
                }
            } catch {
                close(descriptor)
                unlink(place)
                throw error
            }
            try WholeFile.publish(place, descriptor, as: output)
        }
    }

    /// The bundle holds no entry of this path.
    struct NoEntry: CodedError {
        let path: String
        var code: FindingCode { .sourceNotFound }
        var place: Place { Place() }
        var message: String { "The bundle holds no file '\(path)'." }
    }
}

extension WorkerOrder {
    /// The bundle of the file that is here.
    func bundle(_ goal: LiveBundle.Goal, _ options: AssetOperations.LiveOptions) async throws -> LiveBundle {
        guard let file = assetFile else { throw StorageError("the asset's file", ENOENT) }
        return try await LiveBundle.open(file, goal: goal, options: options)
    }
}
