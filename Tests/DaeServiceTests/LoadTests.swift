import Daedalus
import Glibc
import Synchronization
import TestSupport
import Testing

/// Many clients at once. A short while in the gate; a minute with 200 watchers and 50 uploads with `DAE_TEST_FULL=1`.
@Suite(.timeLimit(.minutes(10))) struct LoadTests {
    private static let isFull = Repository.environment("DAE_TEST_FULL") == "1"
    private static let watchers = isFull ? 200 : 40
    private static let uploaders = isFull ? 50 : 8
    private static let seconds = isFull ? 60.0 : 3

    @Test func watchersAndUploadersAreAllServed() async throws {
        let folder = try TemporaryFolder()
        // All of them are one client: on one address, without tokens.
        let most = "\(2 * (Self.watchers + Self.uploaders))"
        let service = try ServiceProcess(
            data: folder.path, ["--client-streams", most, "--client-requests", most])
        let client = try AssetServiceClient("http://127.0.0.1:\(service.port)")
        let walker = try Repository.fixture("bundles/walker.zip")
        let streams = try WatchedStreams(count: Self.watchers, port: service.port)
        let times = Times()

        let end = ContinuousClock.now.advanced(by: .seconds(Self.seconds))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for uploader in 0..<Self.uploaders {
                group.addTask {
                    var done = 0
                    repeat {
                        // Other bytes each time: each is stored, read and told of.
                        let bytes = walker + Array("\(uploader) \(done)".utf8)
                        let added = try await times.time(.upload) { try await client.add(bytes, name: "walker.zip") }
                        _ = try await times.time(.question) { try await client.asset(added.id) }
                        let settled = try await times.time(.end) { try await client.settled(added.id) }
                        #expect(settled.state.isReady)
                        done += 1
                    } while ContinuousClock.now < end
                    return done
                }
            }
            var all = 0
            for try await done in group { all += done }
            #expect(all >= Self.uploaders)
            let told = streams.end(after: all)
            #expect(told.allSatisfy { $0 == all }, "of \(all) assets that became ready were told: \(told)")
            print("\(all) assets of \(Self.uploaders) uploaders, told to \(Self.watchers) watchers")
        }
        print(times.text)
        let memory = try Self.highestMemory(of: service.pid)
        print("daed took \(memory >> 20) MiB at most")
        #expect(memory < 300 << 20)
        #expect(service.end() == 0)
    }

    /// In bytes, since its start.
    private static func highestMemory(of process: pid_t) throws -> Int {
        let text = String(decoding: try Repository.bytes(at: "/proc/\(process)/status"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
    }
}

/// How long what takes.
private final class Times: Sendable {
    enum Kind: String, CaseIterable {
        case upload, question, end
    }

    private let seconds = Mutex<[Kind: [Double]]>([:])

    func time<Value>(_ kind: Kind, _ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        let value = try await body()
        let taken = ContinuousClock.now - start
        let number = Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18
        seconds.withLock { $0[kind, default: []].append(number) }
        return value
    }

    var text: String {
        seconds.withLock { seconds in
            Kind.allCases.map { kind in
                let sorted = (seconds[kind] ?? []).sorted()
                func share(_ share: Double) -> Int {
                    sorted.isEmpty ? 0 : Int(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] * 1000)
                }
                return "\(kind.rawValue): p50 \(share(0.5)) ms, p95 \(share(0.95)) ms, p99 \(share(0.99)) ms"
            }.joined(separator: "\n")
        }
    }
}

/// Streams of the events of all assets, read by one thread.
private final class WatchedStreams: Sendable {
    private struct Stream {
        let descriptor: Int32
        /// What came since the last empty line.
        var rest: [UInt8] = []
        var ready = 0
        var isOpen = true
    }

    private let streams: Mutex<[Stream]>
    /// How many are awaited of each before the thread ends.
    private let goal = Mutex<Int?>(nil)
    private let ended = Flag()

    init(count: Int, port: UInt16) throws {
        var made: [Stream] = []
        for _ in 0..<count {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            address.sin_port = port.bigEndian
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { throw NoConnection(code: errno) }
            let text = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
            _ = Array(text.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // Its head says that it listens.
            var byte: UInt8 = 0
            guard recv(descriptor, &byte, 1, 0) == 1 else { throw NoConnection(code: errno) }
            made.append(Stream(descriptor: descriptor))
        }
        streams = Mutex(made)
        BackgroundThread.start { [self] in
            read()
            ended.raise()
        }
    }

    struct NoConnection: Error {
        let code: Int32
    }

    deinit {
        streams.withLock { for stream in $0 { close(stream.descriptor) } }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let patience = ContinuousClock.now.advanced(by: .seconds(400))
        while ContinuousClock.now < patience {
            let goal = goal.withLock { $0 }
            let isDone = streams.withLock { streams in
                var waiting = streams.map {
                    pollfd(fd: $0.isOpen ? $0.descriptor : -1, events: Int16(POLLIN), revents: 0)
                }
                poll(&waiting, nfds_t(waiting.count), 100)
                for (index, wait) in waiting.enumerated() where wait.revents != 0 {
                    let count = recv(wait.fd, &buffer, buffer.count, 0)
                    guard count > 0 else {
                        streams[index].isOpen = false
                        continue
                    }
                    streams[index].rest += buffer[..<count]
                    while let end = streams[index].rest.firstRange(of: Array("\n\n".utf8)) {
                        let event = streams[index].rest[..<end.lowerBound]
                        if event.firstRange(of: Array("\"state\":\"ready\"".utf8)) != nil { streams[index].ready += 1 }
                        streams[index].rest.removeSubrange(..<end.upperBound)
                    }
                }
                return streams.allSatisfy { !$0.isOpen || $0.ready >= goal ?? .max }
            }
            if isDone { return }
        }
    }

    /// How many assets each was told to be ready, once that is as many as there are; gives up after two minutes.
    func end(after all: Int) -> [Int] {
        goal.withLock { $0 = all }
        try? ended.wait()
        return streams.withLock { $0.map(\.ready) }
    }
}
