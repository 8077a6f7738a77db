import DaeCore
import Daedalus

/// Makes a model in one of its forms, in the worker's own process.
struct ModelWork: Sendable {
    let order: WorkerOrder
    let form: ModelForm

    func run() async throws {
        guard let output = order.output else { return }
        var named = ExportOptions()
        named.generator = "Daedalus \(Daed.version)"
        named.compaction = form.compaction
        let (settings, form, scratch) = (named, form, order.scratch)
        let place = order.serviceFolder.place(of: output)
        defer { unlink(place) }
        let fidelity = try await order.model { model, isCancelled in
            if form.format.isOneFile {
                return try model.write(to: place, as: form.format, options: settings, isCancelled: isCancelled)
            } else {
                let folder = scratch + "/model"
                try ServiceFolder.make(folder)
                let path = "\(folder)/model.\(form.format.ending)"
                let fidelity = try model.write(
                    to: path, as: form.format, options: settings, isCancelled: isCancelled)
                try Self.pack(folder, into: place, isCancelled)
                return fidelity
            }
        }
        // Before the model: where that is there, so is this.
        let account = ModelForm.changes(of: output)
        try WholeFile.write(
            fidelity.json.text(.indented) + [UInt8(ascii: "\n")], to: account,
            by: order.serviceFolder.place(of: account))
        try Durable.sync(place)
        guard rename(place, output) == 0 else { throw StorageError(output, errno) }
        try Durable.sync(folderOf: output)
    }

    /// Puts all files of a folder into an archive.
    private static func pack(_ folder: String, into place: String, _ isCancelled: () -> Bool) throws {
        let archive = try ArchiveWriter()
        for name in ServiceFolder.names(in: folder).sorted() {
            let isImage = [".png", ".jpg"].contains { name.hasSuffix($0) }
            try archive.add(
                name, isImage ? .stored : .deflated, contentsOf: try OpenFile("\(folder)/\(name)", .reading))
        }
        try archive.finish(at: place, isCancelled: isCancelled)
    }
}
