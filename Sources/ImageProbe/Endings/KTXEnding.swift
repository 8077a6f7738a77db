// Level by level: each tells its own size, of one face where there are six of no array.

enum KTXEnding: ImageEndingFormat {
    private static let mostLevels = 32

    static func walk(_ file: inout ImageFileBytes) throws(ImageFileStop) {
        try file.seek(12)
        let order: ImageFileBytes.Order = try file.byte() == 1 ? .little : .big
        try file.seek(48)
        let elements = try file.number(4, order)
        let faces = try file.number(4, order)
        let levels = max(1, try file.number(4, order))
        let metadata = try file.number(4, order)
        guard levels <= mostLevels else { throw .undecided }
        try file.skip(metadata)
        for level in 0..<levels {
            let size = try file.number(4, order)
            let images = faces == 6 && elements == 0 ? Int64(6) : 1
            let padded = size + (4 - size % 4) % 4
            // What fills up the last one may be missing.
            let end = file.position + padded * (images - 1) + size
            try file.require(end)
            if level < levels - 1 { try file.skip(padded * images) }
        }
    }
}
