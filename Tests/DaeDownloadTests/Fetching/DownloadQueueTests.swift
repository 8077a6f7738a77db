import DaeDownload
import TestSupport
import Testing

@Suite struct DownloadQueueTests {
    @Test func soManyAreAtWorkAndNotTooManyOfOneHost() {
        var queue = DownloadQueue(
            ["http://a/1", "http://A/2", "http://me:word@a/3", "http://a:81/4", "https://b?x", "http://c/6"], atMost: 4,
            perHost: 2)
        #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [0, 1, 3, 4])
        #expect(queue.next() == nil, "four are at work")
        queue.end(4)
        #expect(queue.next() == 5, "two of a are at work, so the third waits")
        #expect(queue.next() == nil)
        queue.end(0)
        #expect(queue.next() == 2)
        #expect(queue.next() == nil, "none waits")
    }

    @Test func eachIsBegunOnceWhateverTheOrderOfTheirEnds() {
        var numbers = SeededNumbers(seed: 4)
        for _ in 0..<200 {
            let urls = (0..<Int.random(in: 0...20, using: &numbers)).map { "http://h\($0 % 3)/\($0)" }
            let (limit, hostLimit) = (Int.random(in: 0...5, using: &numbers), Int.random(in: 0...3, using: &numbers))
            var queue = DownloadQueue(urls, atMost: limit, perHost: hostLimit)
            var (running, begun): ([Int], [Int]) = ([], [])
            repeat {
                while let index = queue.next() {
                    running.append(index)
                    begun.append(index)
                }
                #expect(running.count <= max(limit, 1))
                for host in 0..<3 { #expect(running.count { $0 % 3 == host } <= max(hostLimit, 1)) }
                guard let ended = running.indices.randomElement(using: &numbers) else { break }
                queue.end(running.remove(at: ended))
            } while true
            #expect(begun.sorted() == Array(urls.indices))
        }
    }
}
