import DaeCore
import Daedalus

/// Makes a model in one of its forms, in the worker's own process.
struct ModelWork: Sendable {
    let order: WorkerOrder
    let form: ModelForm

    func run() async throws {
        var named = ExportOptions()
        named.generator = "Daedalus \(Daed.version)"
        named.compaction = form.compaction
        let (settings, form, folder) = (named, form, order.folder)
        let fidelity = try await order.model { model, isCancelled in
            let place = folder.file(form.rawValue)
            if form.format.isOneFile {
                return try model.write(to: place, as: form.format, options: settings, isCancelled: isCancelled)
            } else {
                let files = folder.file("model")
                try ServiceFolder.make(files)
                let path = "\(files)/model.\(form.format.ending)"
                let fidelity = try model.write(
                    to: path, as: form.format, options: settings, isCancelled: isCancelled)
                try Self.pack(files, into: place, isCancelled)
                return fidelity
            }
        }
        try folder.write(
            fidelity.json.text(.indented) + [UInt8(ascii: "\n")], as: ModelForm.changes(of: form.rawValue))
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
