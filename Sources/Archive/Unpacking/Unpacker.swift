import Glibc

/// Writes a bundle's files below a folder: plain files and folders, with the permissions that the process gives new
/// ones. Nothing half-written is ever seen there.
public struct Unpacker: Sendable {
    /// What happens where a file is in the folder already.
    public enum Conflict: Sendable {
        /// Nothing at all is written.
        case refuse
        /// Files of the same path are replaced, each at once; all others stay.
        case replaceFiles
    }

    public struct Result: Sendable, Equatable {
        public var files = 0
        public var bytes: Int64 = 0
    }

    public let folder: String
    public let conflict: Conflict
    var links = Placement.Links.tried

    /// - Parameter folder: Made when it is missing; the folder it stands in must be there. It may hold other files, and
    ///   may be a symbolic link to a folder; no link below it is followed.
    public init(folder: String, conflict: Conflict = .refuse) {
        self.folder = folder
        self.conflict = conflict
    }

    /// Unpacks every entry that `selects` wants; the first of those that share a path.
    ///
    /// All is written into a new folder first: in the target where that is there, else beside it. Then it is put in
    /// place. When something fails, what was written is removed, what was replaced is put back, and the target is as it
    /// was. What a process that was killed has left in the same place is removed first.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked before each file and every 128 KiB.
    ///   - report: Called before each step.
    /// - Throws: ``UnpackError``.
    public func unpack(
        _ bundle: Bundle, selects: (Bundle.Entry) -> Bool = { _ in true }, isCancelled: () -> Bool = { false },
        report: (Step) -> Void = { _ in }
    ) throws(UnpackError) -> Result {
        let entries = bundle.entries.filter { selects($0) && bundle.entry(at: $0.path) == $0 }
        do { try bundle.check(readable: entries) } catch { throw UnpackError(error) }
        let plan = try UnpackPlan(entries, limits: bundle.limits)
        let target = try UnpackTarget.open(folder)
        do throws(SystemFailure) {
            try PartialFolder.removeLeftovers(in: target.ground, isCancelled: isCancelled) { name, fate in
                report(.found(folder: target.path(of: name), fate))
            }
        } catch {
            throw .cannotWrite(folder, error)
        }
        try check(plan, target, isCancelled)
        let partial: PartialFolder
        do throws(SystemFailure) { partial = try PartialFolder.make(in: target.ground) } catch {
            throw .cannotWrite(target.groundName, error)
        }
        let path = target.path(of: partial.name)
        report(.writing(folder: path))
        defer { report(.ended) }
        do throws(UnpackError) {
            let result = try write(plan, of: bundle, to: partial.files, isCancelled)
            report(.placing(folder: path))
            try place(partial, in: target, isCancelled)
            report(.removing(folder: path))
            // What cannot be removed is found by the next unpacking; the files are in their place.
            try? partial.remove(from: target.ground)
            return result
        } catch {
            guard error.leftover == nil else { throw error }
            report(.removing(folder: path))
            do throws(SystemFailure) { try partial.remove(from: target.ground) } catch let failure {
                throw error.leaving(path, failure)
            }
            throw error
        }
    }
}
