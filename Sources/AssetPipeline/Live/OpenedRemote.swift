import Download

/// A file on a server that is read by ranges. A class so that each opening is one of its own.
final class OpenedRemote: Sendable {
    let file: RemoteFile

    init(_ file: RemoteFile) { self.file = file }
}

extension OpenedRemote: Hashable {
    static func == (left: OpenedRemote, right: OpenedRemote) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
