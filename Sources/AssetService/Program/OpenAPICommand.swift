import ArgumentParser

struct OpenAPICommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openapi", abstract: "Print the description of the HTTP API, by OpenAPI 3.1.")

    func run() { print(OpenAPI.text, terminator: "") }
}
