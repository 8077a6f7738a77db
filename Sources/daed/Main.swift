import DaeService

@main enum Main {
    static func main() { ServiceProgram.main() }
}
