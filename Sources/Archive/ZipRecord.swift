import CLibZip
import Glibc

/// What the directory of an archive says of one entry, nothing of it believed yet.
struct ZipRecord {
    let name: String
    /// Before its first NUL, in the archive's own encoding.
    let rawNameBytes: Int
    let size: UInt64
    let compressedSize: UInt64
    let method: CompressionMethod
    let crc32: UInt32
    let isEncrypted: Bool
    /// The system that wrote the entry, which says how to read `attributes`.
    let system: UInt8
    let attributes: UInt32

    /// A folder whose name does not say so.
    var isFolder: Bool {
        isUnix && mode_t(attributes >> 16) & S_IFMT == S_IFDIR && size == 0
    }

    private var isUnix: Bool { system == UInt8(ZIP_OPSYS_UNIX) || system == UInt8(ZIP_OPSYS_OS_X) }

    /// "a symbolic link" and the like; `nil` for files and folders.
    var specialKind: String? {
        guard isUnix else { return nil }
        return switch mode_t(attributes >> 16) & S_IFMT {
        case 0, S_IFREG, S_IFDIR: nil
        case S_IFLNK: "a symbolic link"
        default: "a special file (mode \(String(attributes >> 16, radix: 8)))"  // C codes
        }
    }
}
