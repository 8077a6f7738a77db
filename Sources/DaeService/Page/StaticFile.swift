import CServiceFiles
import DaeCore
import Daedalus
import FoundationEssentials
import Hummingbird

/// A file that is the same for everybody, held in memory.
struct StaticFile: Sendable {
    let body: ByteBuffer
    let type: String
    /// Names the bytes.
    let tag: String

    init(_ bytes: [UInt8], type: String) {
        body = ByteBuffer(bytes: bytes)
        self.type = type
        tag = String(SHA256Digest(hashing: bytes).hex.prefix(32))
    }

    /// `nil` for an ending that no file of the page has.
    init?(_ bytes: [UInt8], named name: String) {
        switch name.split(separator: ".").last {
        case "html": self.init(bytes, type: "text/html; charset=utf-8")
        case "css": self.init(bytes, type: "text/css; charset=utf-8")
        case "js": self.init(bytes, type: "text/javascript; charset=utf-8")
        case "svg": self.init(bytes, type: "image/svg+xml")
        default: return nil
        }
    }

    func response(to request: Request) -> Response {
        let headers: HTTPFields = [.contentType: type, .eTag: "\"\(tag)\"", .cacheControl: "no-cache"]
        if let known = request.headers[.ifNoneMatch], FileAnswer.matches(known, tag) {
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
    }
}

/// The files of the page, which are part of the program.
enum PageFiles {
    static let all: [String: StaticFile] = {
        var files: [String: StaticFile] = [:]
        var next = daed_page_files()
        while let file = next?.pointee, let name = file.name, let bytes = file.bytes {
            let name = String(cString: name)
            let buffer = UnsafeRawBufferPointer(start: bytes, count: file.count)
            files[name] = StaticFile(Array(buffer), named: name)
            next = next?.advanced(by: 1)
        }
        return files
    }()
}

/// The files of the 3D viewer, which are another project's and lie in a folder beside the program, if anywhere.
struct ViewerFiles: Sendable {
    private let files: [String: StaticFile]

    private static let names = ["three.js"]
    /// Bytes of one file at most.
    private static let limit: Int64 = 16 << 20

    /// - Parameter folder: Where they lie; empty for the usual places.
    init(_ folder: String) {
        let folders = folder.isEmpty ? Self.usualFolders : [folder]
        var files: [String: StaticFile] = [:]
        for name in Self.names {
            for folder in folders where files[name] == nil {
                guard let file = try? OpenedFile("\(folder)/\(name)"), file.size <= Self.limit,
                    let bytes = try? file.read(at: 0, count: Int(file.size)), bytes.count == Int(file.size)
                else { continue }
                files[name] = StaticFile(bytes, named: name)
            }
        }
        self.files = files
    }

    var isEmpty: Bool { files.isEmpty }

    subscript(name: String) -> StaticFile? { files[name] }

    /// Beside the program where it was built, and where `scripts/install` puts them.
    private static var usualFolders: [String] {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let slash = program.lastIndex(of: "/")
        else { return [] }
        let folder = program[..<slash]
        return ["\(folder)/viewer", "\(folder)/../share/daed/viewer"]
    }
}
