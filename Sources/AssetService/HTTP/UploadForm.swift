import Daedalus
import Hummingbird

/// A form of which the first file is wanted; what else is in it is passed over.
struct UploadForm {
    private enum Part {
        case none
        case passedOver
        case file(UploadFile, name: String)
    }

    /// Bytes at most of all that is no file's.
    static let otherLimit = 1 << 20

    private var reader: MultipartReader
    private let path: String
    private let limit: Int64
    private var part = Part.none
    private var found: (file: UploadFile, name: String)?
    private var other = 0

    init(reader: MultipartReader, path: String, limit: Int64) {
        (self.reader, self.path, self.limit) = (reader, path, limit)
    }

    mutating func read(_ bytes: [UInt8]) throws {
        var reader = reader
        do {
            try reader.read(bytes) { event in try take(event) }
        } catch let fault as MultipartReader.Fault {
            throw Problem(.badRequest, nil, Self.text(fault))
        }
        self.reader = reader
    }

    /// - Throws: ``Problem`` where the form does not end, or holds no file.
    func finish() async throws -> ReceivedFile {
        guard reader.isComplete else {
            throw Problem(.badRequest, .downloadTruncated, "The form ends without its last boundary.")
        }
        guard let found else {
            throw Problem(.badRequest, nil, "The form holds no file: no part of it has a filename.")
        }
        return ReceivedFile(upload: try await found.file.finish(), name: found.name)
    }

    private mutating func take(_ event: MultipartReader.Event) throws {
        switch event {
        case .part(let disposition):
            part = .passedOver
            guard found == nil, let name = SuggestedName.name(in: disposition) else { return }
            let file = try UploadFile(path, limit: limit)
            found = (file, name)
            part = .file(file, name: name)
        case .bytes(let bytes):
            switch part {
            case .file(let file, _): try file.write(bytes)
            case .none, .passedOver:
                other += bytes.count
                guard other <= Self.otherLimit else {
                    throw Problem(
                        .contentTooLarge, nil, "The form has more than \(Self.otherLimit) bytes beside its file.")
                }
            }
        }
    }

    private static func text(_ fault: MultipartReader.Fault) -> String {
        switch fault {
        case .headTooLong: "A part of the form has a header of more than \(MultipartReader.headLimit) bytes."
        case .malformedHead: "A part of the form has a header that is none, or no Content-Disposition."
        case .malformedDelimiter: "A boundary of the form is followed by neither a line end nor two hyphens."
        case .tooManyParts: "The form has more than \(MultipartReader.partLimit) parts."
        case .preambleTooLong: "The form does not begin with its boundary."
        }
    }
}
