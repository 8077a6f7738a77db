import SceneModel
import Synchronization

/// Numbers in memory, as if they were not.
final class ListArchive: NumberArchive {
    private let bytes = Mutex<[UInt8]>([])

    func put<Number: BitwiseCopyable>(_ numbers: [Number]) -> ArchivedRun {
        bytes.withLock { bytes in
            let run = ArchivedRun(start: bytes.count, count: numbers.count)
            numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
            return run
        }
    }

    func lose() { bytes.withLock { $0 = [] } }

    func reals(_ run: ArchivedRun) -> [Double]? { numbers(run, 0) }

    func integers(_ run: ArchivedRun) -> [Int32]? { numbers(run, 0) }

    private func numbers<Number: BitwiseCopyable>(_ run: ArchivedRun, _ zero: Number) -> [Number]? {
        let size = run.count * MemoryLayout<Number>.stride
        let part = bytes.withLock { bytes in
            run.start + size <= bytes.count ? Array(bytes[run.start..<run.start + size]) : nil
        }
        guard let part else { return nil }
        var numbers = [Number](repeating: zero, count: run.count)
        numbers.withUnsafeMutableBytes { $0.copyBytes(from: part) }
        return numbers
    }
}
