import ArgumentParser
import Daedalus

struct CatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Write a file of a bundle to standard output.",
        discussion: """
            Size and checksum are looked at where the file ends: when they are wrong, the bytes until there were \
            written, and the exit code is 4. With --output the file appears only when it is whole.

            Examples:
              dae cat 'model.zip!/models/chair.dae' | xmllint --format -
              dae cat 'outer.zip!/inner.kmz!/doc.kml'
              dae cat 'model.zip!/textures/wood.png' -o wood.png
            """)

    @Argument(
        help: ArgumentHelp("An entry of an archive or folder, or a lone document.", valueName: "source"),
        transform: SourceArgument.text)
    var source: String

    @OptionGroup var options: RunOptions

    mutating func validate() throws { try options.check(source) }

    func run() async throws {
        let output = options.output
        // A lone document onto itself is the same file again.
        if !source.lowercased().hasSuffix(".dae") || source.contains("!/") {
            try OutputGuard.check(output, sources: [source])
        }
        var options = options
        options.output = nil
        try await BundleRun([source], options).run(.file, isCompact: true, format: .text) { opened, isCancelled in
            guard let entry = opened.entry ?? (opened.bundle.kind == .dae ? opened.bundle.entries.first : nil) else {
                let example = SourceAddress.address(of: Self.example(opened), in: opened.file.input)
                complain("\(opened.file.input): name an entry, such as \(example)")
                throw DaeExit.usage
            }
            let stream = try OutputStream(path: output)
            let reader = try opened.bundle.reader(for: entry)
            let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
            defer { chunk.deallocate() }
            while case let count = try reader.read(into: chunk), count > 0 {
                if isCancelled() { throw CancellationError() }
                try stream.write(Array(chunk[..<count]))
            }
            try stream.finish()
            return .init(rendering: .nothing)
        }
    }

    private static func example(_ opened: LiveBundle) -> String { opened.bundle.entries.first?.path ?? "a.dae" }
}
