import Hummingbird

/// All that the service answers.
struct ServiceRouter: Sendable {
    let tools: ServiceTools

    func router() -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(log: tools.log))
        router.add(middleware: BrowserGuard())
        HealthRoutes(tools: tools).add(to: router)
        HomeRoutes(tools: tools).add(to: router)
        let group = router.group("v1")
        let derivations = Derivations(tools)
        let assets = AssetRoutes(tools: tools, derivations: derivations)
        assets.add(to: group)
        let results = ResultRoutes(tools: tools, assets: assets, derivations: derivations)
        results.add(to: group)
        FileRoutes(tools: tools, results: results).add(to: group)
        EventRoutes(tools: tools, assets: assets).add(to: group)
        OpenAPIRoutes().add(to: group)
        UploadRoutes(tools: tools).add(to: group)
        // Behind all others: it answers what they do not.
        MethodRoutes.add(to: router)
        return router
    }
}
