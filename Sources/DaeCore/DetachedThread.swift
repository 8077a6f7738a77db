// Threads that nobody waits for.

/// A thread of the system's that ends by itself, or with the process.
package enum DetachedThread {
    /// Runs `body` on a new thread.
    ///
    /// - Returns: Whether the system gave one; without, `body` is not run: here it would hold up what others wait for.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let retained = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        if status != 0 { retained.release() }
        return status == 0
    }

    /// A class so that it can travel through C's pointer.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
