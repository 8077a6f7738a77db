extension Unpacker {
    /// What an unpacking is about to do, for who has to know which folder is left where the process ends at once.
    ///
    /// Each folder is a path as ``Unpacker/folder`` is one.
    public enum Step: Sendable, Equatable {
        /// What another process had left there, and what became of it.
        case found(folder: String, Leftover)
        /// All is written into this folder first.
        case writing(folder: String)
        /// Files leave that folder for the target; those that they replace are kept in its folder `replaced`.
        case placing(folder: String)
        case removing(folder: String)
        /// Nothing is written any more.
        case ended
    }

    public enum Leftover: Sendable, Equatable {
        case removed
        /// The file system has no locks that would tell whether somebody still writes to it.
        case maybeInUse
        /// The process was stopped while it replaced files: those that it took away are in the folder `replaced`.
        case holdsReplacedFiles
        case cannotBeRemoved(reason: String)
    }
}
