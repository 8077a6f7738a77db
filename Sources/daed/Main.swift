import AssetService

@main enum Main {
    static func main() async { await ServiceProgram.main() }
}
