import Daedalus

/// Arguments that name sources and would be taken for options.
enum SourceArgument {
    /// No argument of a process holds it.
    private static let mark: Character = "\0"

    /// The arguments, those marked that are entries of standard input, and models whose names begin with a dash named by
    /// their folder: `-h` of `-house.dae` would be a call for help.
    static func marked(_ arguments: [String]) -> [String] {
        let options = arguments.prefix { $0 != "--" }
        return options.map { argument in
            if argument.hasPrefix("-!/") { return String(mark) + argument }
            let isModel = argument.hasPrefix("-") && !argument.hasPrefix("--") && Bundle.Kind(named: argument) != nil
            return isModel ? "./" + argument : argument
        } + arguments.dropFirst(options.count)
    }

    /// The source as it was given.
    static func text(_ argument: String) -> String {
        argument.first == mark ? String(argument.dropFirst()) : argument
    }
}
