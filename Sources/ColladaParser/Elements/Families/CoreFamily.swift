extension ElementFamily {
    static let core = ElementFamily(
        units: [.asset, .scene],
        texts: [
            .nameArray, .idrefArray, .sidrefArray, .author, .authoringTool, .comments, .copyright, .sourceData,
            .created, .modified, .keywords, .revision, .subject, .title, .upAxis, .param, .ref, .authorEmail,
            .authorWebsite, .longitude, .latitude, .altitude,
        ],
        reals: [.floatArray],
        raws: [.extra],
        skipped: [.intArray, .boolArray, .boundingbox])
}
