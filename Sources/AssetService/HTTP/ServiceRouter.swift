import Hummingbird

/// All that the service answers.
struct ServiceRouter: Sendable {
    let tools: ServiceTools
    let proxies: TrustedProxies

    init(tools: ServiceTools) throws {
        self.tools = tools
        proxies = try TrustedProxies(tools.settings.trustedProxies)
    }

    func router() -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: MetricsMiddleware(metrics: tools.metrics))
        router.add(middleware: ProblemMiddleware(tools, proxies))
        router.add(middleware: BrowserGuard(tools.settings))
        router.add(middleware: AccessMiddleware(tools))
        router.add(middleware: IdempotencyMiddleware(tools: tools))
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
        LinkRoutes(tools: tools, assets: assets).add(to: group)
        TokenRoutes(tools: tools).add(to: group)
        OpenAPIRoutes().add(to: group)
        UploadRoutes(tools: tools).add(to: group)
        // Behind all others: it answers what they do not.
        MethodRoutes.add(to: router)
        return router
    }
}
