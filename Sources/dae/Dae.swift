import ArgumentParser

@main struct Dae: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "dae", abstract: "Looks into 3D model bundles.")
}
