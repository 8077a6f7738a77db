import AssetService

@main enum Main {
    static func main() { ServiceProgram.main() }
}
