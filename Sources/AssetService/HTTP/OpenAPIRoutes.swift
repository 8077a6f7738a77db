import Hummingbird

struct OpenAPIRoutes: Sendable {
    func add(to group: RouterGroup<some RequestContext>) {
        group.get("openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: .init(byteBuffer: ByteBuffer(string: OpenAPI.text)))
        }
    }
}
