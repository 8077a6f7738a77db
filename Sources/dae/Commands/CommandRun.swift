/// The end of a command's work, however it comes: by itself, by a signal, or since nobody takes its output any more.
struct CommandRun {
    let writer: ResultWriter
    let progress: ProgressLine?

    /// - Parameter work: Ends soon once its task is cancelled; gives the exit code that it asks for.
    /// - Throws: ``DaeExit`` unless all is fine.
    func run(_ work: @escaping @Sendable () async -> DaeExit) async throws {
        let task = Task(operation: work)
        let interrupts = Interrupts { task.cancel() }
        let code = await task.value
        progress?.clear()
        if let code = interrupts.code { throw code }
        try writer.finish()
        if code != .fine { throw code }
    }
}
