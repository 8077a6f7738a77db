import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Has a service download and unzip a model, and gives its GLB. Foundation alone: the library itself is not on the device.
struct ModelService {
    let server: URL

    struct Asset: Decodable {
        struct State: Decodable { let state: String }
        let id: String
        let state: State
    }

    func glb(of model: String) async throws -> URL {
        var request = URLRequest(url: server.appending(path: "v1/assets"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(["url": model])
        var asset = try await send(request)
        let place = server.appending(path: "v1/assets/\(asset.id)")
        while !["ready", "failed"].contains(asset.state.state) {
            try await Task.sleep(for: .milliseconds(500))
            asset = try await send(URLRequest(url: place))
        }
        let (file, response) = try await URLSession.shared.download(from: place.appending(path: "model.glb"))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.cannotParseResponse) }
        return file
    }

    private func send(_ request: URLRequest) async throws -> Asset {
        try JSONDecoder().decode(Asset.self, from: try await URLSession.shared.data(for: request).0)
    }
}
