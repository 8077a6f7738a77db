import TestSupport
import Testing

/// What is said of sources that are no bundles, and of what lies beside them.
@Suite struct BundleMessageTests {
    private let trial: BundleTrial

    init() throws { trial = try BundleTrial() }

    @Test(arguments: [
        "<!DOCTYPE html><html><body/></html>", "<HTML></HTML>", "\u{FEFF}<!-- <a> --><?php x?>\n<html lang='en'>",
    ])
    func aPageIsNotUnpacked(text: String) throws {
        let path = try trial.place.write(text, to: "page.zip")
        for arguments in [["inspect", path], ["unpack", path, "-d", trial.place.path + "/out"]] {
            let outcome = try Program.run(arguments)
            #expect(outcome.code == 5, "\(arguments)")
            #expect(outcome.errors.contains("DOC_NOT_COLLADA"))
        }
        #expect(try (Program.run(["ls", trial.place.path + "/out"])).code == 3)
    }

    @Test(arguments: ["s3.zip", "s3.kmz", "s3.zae", "s3.dae"]) func aRefusalIsNotUnpackedAsAnArchive(name: String)
        throws
    {
        let refusal = "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code></Error>"
        let path = try trial.place.write(refusal, to: name)
        let outcome = try Program.run(["unpack", path, "-d", trial.place.path + "/out"])
        // A document may be any.
        guard !name.hasSuffix(".dae") else { return #expect(outcome.code == 0) }
        #expect(outcome.code == 5)
        #expect(outcome.errors.contains("the root element is <Error>; expected <COLLADA> or an archive"))
        #expect(try (Program.run(["ls", trial.place.path + "/out"])).code == 3)
        for document in [modelDocument(), "<d:COLLADA xmlns:d=\"x\"/>"] {
            let named = try trial.place.write(document, to: "model-" + name)
            #expect(try Program.run(["unpack", named, "-d", trial.place.path + "/\(document.utf8.count)"]).code == 0)
        }
    }

    @Test func junkIsUnpackedOnRequestAlone() throws {
        let path = try trial.zip(
            "mac.zip",
            [("a.dae", modelDocument()), ("__MACOSX/._a.dae", "x"), (".DS_Store", "x"), ("t/Thumbs.db", "x")])
        #expect(try Program.run(["unpack", path, "-d", trial.place.path + "/plain"]).code == 0)
        #expect(try Repository.files(below: trial.place.path + "/plain") == ["a.dae"])
        #expect(try Program.run(["unpack", "--junk", path, "-d", trial.place.path + "/all"]).code == 0)
        let all = try Repository.files(below: trial.place.path + "/all")
        #expect([".DS_Store", "__MACOSX/._a.dae", "a.dae", "t/Thumbs.db"].allSatisfy(all.contains))
    }

    @Test func anArchiveOfAnotherFormatSaysWhatItHolds() throws {
        let path = try trial.zip("obj.zip", [("x/a.obj", "v 0 0 0"), ("x/a.mtl", "")])
        #expect(
            try Program.run(["inspect", path]).errors.contains("among its 2 files; models such as x/a.obj are not read")
        )
    }

    @Test func aFileOutsideIsSaidToBeSoOnce() throws {
        try trial.place.write(pixel(red: 1), to: "media/x.png")
        let path = try trial.place.write(modelDocument(image: "../media/x.png"), to: "meshes/a.dae")
        let text = try Program.run(["validate", path]).text
        #expect(text.contains("../media/x.png lies outside the bundle"))
    }
}
