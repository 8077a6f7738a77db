import ArgumentParser
import Daedalus

/// What is done about files of the web that a scene refers to.
struct WebOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Fetch images and documents that are referred to by http or https into the cache, and look at them.",
            discussion: """
                What lies beside a document that came from an address is there, too. At most 64 addresses and 256 MB; \
                whoever wrote the document decides what is asked for. Hosts with private and loopback addresses are left \
                alone, and no header, token or password goes along.
                """))
    var fetch = false

    @Flag(help: "As --fetch, also from hosts with private and loopback addresses.")
    var fetchPrivate = false

    func applied(to options: AssetOperations.LiveOptions) -> AssetOperations.LiveOptions {
        var options = options
        options.webImages = fetch || fetchPrivate ? .fetched : .reported
        if fetchPrivate { options.web.imagePolicy = .open }
        return options
    }
}
