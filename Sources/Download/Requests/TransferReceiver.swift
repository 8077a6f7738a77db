/// Takes an answer as it arrives, on the transfer's own thread.
protocol TransferReceiver: AnyObject {
    /// Takes one header line with its line end, the empty one too; whether the transfer shall go on.
    func readHeader(_ line: UnsafeRawBufferPointer) -> Bool
    /// Takes the next bytes of the body, freed of a content coding; whether the transfer shall go on.
    func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool
}
