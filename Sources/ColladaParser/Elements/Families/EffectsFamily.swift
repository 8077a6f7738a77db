extension ElementFamily {
    static let effects = ElementFamily(
        units: [.effect, .material, .image],
        texts: [
            .wrapS, .wrapT, .minfilter, .magfilter, .mipfilter, .float, .float2, .float3, .float4, .color, .initFrom,
        ],
        skipped: [.profileGlsl, .profileCg, .profileGles, .profileGles2, .profileBridge])
}
