import Hummingbird

/// All that the service answers.
struct ServiceRouter: Sendable {
    let tools: ServiceTools

    func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(log: tools.log))
        HealthRoutes(tools: tools).add(to: router)
        let group = router.group("v1")
        AssetRoutes(tools: tools).add(to: group)
        return router
    }
}
