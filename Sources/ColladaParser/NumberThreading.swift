// A second thread shortens the wait and costs a little: it pays only where there is a core for it.

import NumberDecoding

/// Where the text of long lists of numbers is decoded.
public enum NumberThreading: Sendable {
    /// On the thread that gives the bytes.
    case together
    /// On a thread of its own, while the other looks through what follows; there is one from the first list on that is
    /// longer than what is read at a time, until the parser goes.
    case apart

    /// ``apart`` where this process may use more than one core.
    public static let standard: NumberThreading = Machine.cores > 1 ? .apart : .together
}
