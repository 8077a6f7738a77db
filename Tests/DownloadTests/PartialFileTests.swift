import Testing

@Suite struct PartialFileTests {}
