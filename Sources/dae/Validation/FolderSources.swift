import ArgumentParser
import Daedalus
import Glibc

/// What a folder among the sources means.
enum FolderMeaning: String, ExpressibleByArgument, CaseIterable {
    /// One bundle where it has a manifest at its top or at most one model, else each model in it.
    case auto
    case bundle
    case each
}

/// Folders of many models, as the models in them.
struct FolderSources {
    private static let manifests = ["manifest.xml", "doc.kml", "model.config", "package.xml"]
    private static let endings = [".dae", ".zae", ".kmz", ".zip"]
    /// As many entries as a bundle may have.
    private static let limit = 200_000

    let meaning: FolderMeaning

    /// The sources, with each folder that is no bundle replaced by the models below it, sorted by path.
    func sources(_ given: [String]) throws -> [String] {
        try given.flatMap { source in
            guard ControlFile.kind(source) == S_IFDIR else { return [source] }
            switch meaning {
            case .bundle: return [source]
            case .auto:
                if Self.manifests.contains(where: { ControlFile.kind(source + "/" + $0) == S_IFREG }) {
                    return [source]
                }
                let models = try Self.models(below: source)
                return models.count <= 1 ? [source] : models
            case .each:
                let models = try Self.models(below: source)
                if models.isEmpty { throw ValidationError("\(source.withoutControls): no model is in this folder.") }
                return models
            }
        }
    }

    /// Links are not followed, and hidden folders not entered.
    private static func models(below folder: String) throws -> [String] {
        var models: [String] = []
        var waiting = [folder.hasSuffix("/") && folder.count > 1 ? String(folder.dropLast()) : folder]
        var seen = 0
        while let place = waiting.popLast() {
            guard let stream = opendir(place) else { continue }
            defer { closedir(stream) }
            while let item = readdir(stream) {
                let name = withUnsafeBytes(of: &item.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name.hasPrefix(".") || name == "__MACOSX" { continue }
                seen += 1
                guard seen <= limit else {
                    throw ValidationError("\(folder.withoutControls): more than \(limit) files; name fewer folders.")
                }
                let path = place == "/" ? "/" + name : place + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: waiting.append(path)
                case S_IFREG:
                    let lowered = name.lowercased()
                    if endings.contains(where: lowered.hasSuffix) { models.append(path) }
                default: break  // C codes
                }
            }
        }
        return models.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
