extension ElementFamily {
    static let core = ElementFamily(
        units: [.asset, .scene],
        texts: [
            .nameArray, .idrefArray, .sidrefArray, .author, .authoringTool, .comments, .copyright, .sourceData,
            .created, .modified, .keywords, .revision, .subject, .title, .upAxis, .param, .ref,
        ],
        reals: [.floatArray],
        raws: [.extra],
        skipped: [.coverage, .intArray, .boolArray, .boundingbox])
}
