import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DaeObjectStore

@Suite struct S3CredentialTests {
    private static func keeper(
        _ source: S3CredentialSource, _ variables: [String: String], at clock: Clock = Clock()
    ) -> S3CredentialKeeper {
        var environment = S3Environment.live
        environment.variables = variables
        environment.now = { clock.now }
        return S3CredentialKeeper(source, environment)
    }

    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let seconds = Mutex<Int64>(1_790_000_000)
        var now: Int64 { seconds.withLock { $0 } }
        func advance(by more: Int64) { seconds.withLock { $0 += more } }
    }

    private static func role(_ number: Int, expires: Int64) -> [UInt8] {
        Array(
            """
            {"Code": "Success", "AccessKeyId": "ASIA\(number)", "SecretAccessKey": "s\(number)", "Token": "t\(number)",
             "Expiration": "\(S3Time.text(expires))"}
            """.utf8)
    }

    @Test func theEnvironmentHasThem() async throws {
        let variables = ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "sk", "AWS_SESSION_TOKEN": "st"]
        for source in [S3CredentialSource.environment, .automatic] {
            let credentials = try await Self.keeper(source, variables).current()
            #expect(credentials == S3Credentials(accessKey: "AK", secret: "sk", sessionToken: "st"))
        }
        await #expect(throws: S3Error.credentials("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set")) {
            try await Self.keeper(.environment, ["AWS_ACCESS_KEY_ID": "AK"]).current()
        }
    }

    @Test func aFileHasProfilesAndIsReadAgain() async throws {
        let (folder, clock) = (try TemporaryFolder(), Clock())
        let text = """
            # comment
            [default]
            aws_access_key_id = AK1
            aws_secret_access_key=s=1/+
            [other]
              aws_access_key_id=AK2
            aws_secret_access_key = s2
            aws_session_token = t2
            [half]
            aws_access_key_id = AK3
            """
        let path = try folder.write(text, to: ".aws/credentials")
        let keeper = Self.keeper(.file, ["HOME": folder.path], at: clock)
        #expect(try await keeper.current() == S3Credentials(accessKey: "AK1", secret: "s=1/+"))
        let other = Self.keeper(.automatic, ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "other"])
        #expect(try await other.current() == S3Credentials(accessKey: "AK2", secret: "s2", sessionToken: "t2"))
        for profile in ["half", "none"] {
            await #expect(throws: S3Error.credentials("\(path) has no keys for the profile \(profile)")) {
                try await Self.keeper(.file, ["HOME": folder.path, "AWS_PROFILE": profile]).current()
            }
        }
        try folder.write(text.replacing("AK1", with: "AK9"), to: ".aws/credentials")
        #expect(try await keeper.current().accessKey == "AK1")
        clock.advance(by: 301)
        #expect(try await keeper.current().accessKey == "AK9")
    }

    @Test func aContainersRoleIsRenewedBeforeItExpires() async throws {
        let clock = Clock()
        let count = Mutex(0)
        let next: @Sendable () -> Int = {
            count.withLock {
                $0 += 1; return $0
            }
        }
        let server = try LoopbackServer { request, connection in
            guard request["authorization"] == "abc", request.target == "/role" else {
                return connection.respond("403 No")
            }
            let number = next()
            // The third time the role cannot be had.
            guard number != 3 else { return connection.respond("500 Internal Server Error") }
            connection.respond(body: Self.role(number, expires: clock.now + 3600))
        }
        let variables = [
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url("/role"), "AWS_CONTAINER_AUTHORIZATION_TOKEN": "abc",
        ]
        let keeper = Self.keeper(.automatic, variables, at: clock)
        let first = try await keeper.current()
        #expect(first == S3Credentials(accessKey: "ASIA1", secret: "s1", sessionToken: "t1", expires: clock.now + 3600))
        clock.advance(by: 3299)
        #expect(try await keeper.current() == first)
        clock.advance(by: 2)
        #expect(try await keeper.current().accessKey == "ASIA2")
        clock.advance(by: 3302)
        #expect(try await keeper.current().accessKey == "ASIA2")
        #expect(try await keeper.current().accessKey == "ASIA2")
        #expect(server.requests.count == 3)
        clock.advance(by: 11)
        #expect(try await keeper.current().accessKey == "ASIA4")
        // Many at once ask once.
        clock.advance(by: 4000)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { #expect((try? await keeper.current().accessKey) == "ASIA5") } }
        }
        #expect(server.requests.count == 5)
    }

    @Test func aContainersTokenMayLieInAFile() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("from file\n", to: "token")
        let server = try LoopbackServer { request, connection in
            connection.respond(
                request["authorization"] == "from file" ? "200 OK" : "401 No",
                body: Self.role(1, expires: 4_000_000_000))
        }
        let variables = [
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url("/"), "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": path,
        ]
        #expect(try await Self.keeper(.container, variables).current().accessKey == "ASIA1")
        await #expect(throws: S3Error.self) { try await Self.keeper(.container, [:]).current() }
    }

    @Test func aContainersSecretsAreFetchedFromItsOwnMachineAlone() async throws {
        for url in ["http://example.org/role", "http://10.1.2.3/role", "ftp://127.0.0.1/role", "nonsense"] {
            let keeper = Self.keeper(.container, ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url])
            await #expect(throws: S3Error.self, "\(url)") { try await keeper.current() }
        }
    }

    @Test func anInstancesRoleTakesASessionOfItsService() async throws {
        let server = try LoopbackServer { request, connection in
            let roles = "/latest/meta-data/iam/security-credentials/"
            switch (request.method, request.target) {
            case ("PUT", "/latest/api/token") where request["x-aws-ec2-metadata-token-ttl-seconds"] == "21600":
                connection.respond(body: Array("session".utf8))
            case ("GET", roles) where request["x-aws-ec2-metadata-token"] == "session":
                connection.respond(body: Array("my-role\n".utf8))
            case ("GET", roles + "my-role") where request["x-aws-ec2-metadata-token"] == "session":
                connection.respond(body: Self.role(7, expires: 4_000_000_000))
            default: connection.respond("401 Unauthorized")
            }
        }
        let variables = ["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url("/")]
        for source in [S3CredentialSource.instance, .automatic] {
            #expect(try await Self.keeper(source, variables).current().accessKey == "ASIA7")
        }
        await #expect(throws: S3Error.credentials("AWS_EC2_METADATA_DISABLED is set")) {
            try await Self.keeper(.instance, ["AWS_EC2_METADATA_DISABLED": "true"]).current()
        }
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"AccessKeyId\": 1}",
        "{\"AccessKeyId\": \"a\", \"SecretAccessKey\": \"b\", \"Token\": \"c\", \"Expiration\": \"soon\"}",
    ])
    func aRoleThatIsNotUnderstoodIsNone(_ json: String) {
        #expect(S3Credentials(role: Array(json.utf8)) == nil)
    }

    @Test func aKeyThatTheStoreTakesNoMoreIsReplaced() async throws {
        let folder = try TemporaryFolder()
        let text = "[default]\naws_access_key_id = OLD\naws_secret_access_key = s\n"
        try folder.write(text, to: ".aws/credentials")
        let server = try LoopbackServer { request, connection in
            if request["authorization"]?.contains("Credential=NEW/") == true { return connection.respond() }
            connection.respond("403 Forbidden", body: S3Fixture.error("InvalidAccessKeyId"))
        }
        var (settings, environment) = (S3Settings(endpoint: server.url("")), S3Environment.live)
        settings.credentials = .file
        environment.variables = ["HOME": folder.path]
        let client = try S3Client(S3Location("s3://bucket"), settings, environment: environment)
        await #expect(throws: S3Error.refused(code: "InvalidAccessKeyId", status: 403)) {
            try await client.put([1], "k")
        }
        #expect(server.requests.count == 1)
        try folder.write(text.replacing("OLD", with: "NEW"), to: ".aws/credentials")
        #expect(try await client.put([1], "k") == .stored)
        #expect(server.requests.count == 3)
    }
}
