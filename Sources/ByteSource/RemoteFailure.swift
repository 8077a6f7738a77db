/// Why a server did not give bytes that were asked for, as far as a reader has to tell one reason from another.
public enum RemoteFailure: Sendable, Hashable {
    /// The file is another one than was opened.
    case changed
    /// It answered that it will not.
    case refused
    /// They ended too early, or are not those that were asked for.
    case wrongBytes
    /// They stopped coming, or no connection was made in time.
    case tooSlow
    case hostNotFound
    case noConnection
    case noEncryption
    /// The rules of whoever runs the program forbid the address.
    case forbidden
    case redirectedTooOften
    /// Somebody ended the reading.
    case cancelled
}
