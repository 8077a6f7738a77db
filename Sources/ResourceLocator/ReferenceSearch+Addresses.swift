import URIReference

extension ReferenceSearch {
    /// A file of a package or model, by its name.
    mutating func lookInNamed(_ kind: NamedFolder.Kind, _ rule: ResolutionRule) -> Resolution.Outcome? {
        let addresses = texts[.literal].compactMap { read -> NamedAddress? in
            switch read.anchor {
            case .scheme: NamedAddress(read.text, kind)
            case .document, .top, .drive: nil
            }
        }
        guard !addresses.isEmpty else { return nil }
        for address in addresses {
            guard let path = path(of: address, rule) else { continue }
            let options = ground.host.files(kind, address.name, path, isOption: true)
            if let outcome = firstThere(of: options, rule, .certain) { return outcome }
            if let folder = ground.indexes.named(kind).folder(address.name),
                let outcome = look(at: BundlePath.join(folder, path), rule, .certain)
            {
                return outcome
            }
            let others = ground.host.files(kind, address.name, path, isOption: false)
            if let outcome = firstThere(of: others, rule, .certain) { return outcome }
        }
        // Nothing tells where the name's folder is: folders so called, else the bundle is what the name means.
        for address in addresses {
            guard case .file(let path) = BundlePath.resolve(address.path) else { continue }
            for place in namedPlaces(address.name) {
                if let outcome = look(at: BundlePath.join(place, path), rule, .likely) { return outcome }
            }
            if !isKnown(address, kind) { note(rule, address.name, .unknownName) }
        }
        return nil
    }

    /// A file of Fuel that is on this machine or in the bundle.
    mutating func find(_ address: FuelAddress) -> Resolution.Outcome? {
        let rule = ResolutionRule.fuelCache
        if let outcome = firstThere(of: ground.host.files(address), rule, .certain) { return outcome }
        let folder = ground.indexes.named(.model).folder(address.model)
        return folder.flatMap { look(at: BundlePath.join($0, address.path), rule, .likely) }
    }

    private mutating func path(of address: NamedAddress, _ rule: ResolutionRule) -> String? {
        switch BundlePath.resolve(address.path) {
        case .file(let path): return path
        case .folder: return nil
        case .outside:
            noteEscape(rule, text)
            return nil
        }
    }

    /// Folders around the document that bear the name, one so called beside each, and at last the top itself.
    private func namedPlaces(_ name: String) -> [String] {
        var named: [String] = []
        var beside: [String] = []
        for place in places {
            if BundlePath.baseName(of: place) == name { named.append(place) }
            beside.append(BundlePath.join(place, name))
        }
        return named + beside + [""]
    }

    private func isKnown(_ address: NamedAddress, _ kind: NamedFolder.Kind) -> Bool {
        ground.indexes.named(kind).folder(address.name) != nil || ground.host.knows(kind, address.name)
            || places.contains { place in
                BundlePath.baseName(of: place) == address.name
                    || ground.indexes.isFolder(BundlePath.join(place, address.name))
            }
    }
}
