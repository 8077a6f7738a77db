/// Arguments that name an entry of standard input, `-!/a.dae`, which would be taken for options.
enum SourceArgument {
    /// No argument of a process holds it.
    private static let mark: Character = "\0"

    /// The arguments, those marked that are sources and look like options.
    static func marked(_ arguments: [String]) -> [String] {
        arguments.map { $0.hasPrefix("-!/") ? String(mark) + $0 : $0 }
    }

    /// The source as it was given.
    static func text(_ argument: String) -> String {
        argument.first == mark ? String(argument.dropFirst()) : argument
    }
}
