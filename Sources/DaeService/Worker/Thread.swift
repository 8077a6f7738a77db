import Daedalus
import Glibc

/// Threads for calls that wait, so that the few of the cooperative pool stay free.
enum Thread {
    /// What `body` gives, from a thread of its own that has ended then.
    ///
    /// - Throws: ``StorageError`` where the system gives no thread.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StorageError) -> Value
    ) async throws(StorageError) -> Value {
        guard let outcome = await JoinedThread.run({ Result(catching: body) }) else {
            throw StorageError("a thread", EAGAIN)
        }
        return try outcome.get()
    }
}
