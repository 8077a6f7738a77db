extension ElementFamily {
    static let effects = ElementFamily(
        units: [.effect, .material, .image],
        texts: [
            .wrapS, .wrapT, .wrapP, .minfilter, .magfilter, .mipfilter, .borderColor, .maxAnisotropy, .mipBias,
            .mipmapBias, .mipMinLevel, .mipMaxLevel, .mipmapMaxlevel, .float, .float2, .float3, .float4, .color,
            .initFrom,
        ],
        hexes: [.hex, .data])
}
