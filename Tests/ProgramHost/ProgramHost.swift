import Foundation
import SkyProcess
import Synchronization

/// Runs programs for tests, as a node does.
///
/// The guardian has to be forked before a process has threads, and the process of the tests always
/// has some: a thread may hold a lock of the runtime at that moment, and the child would wait for it
/// forever. So the tests start this program, which forks first. It can also be killed.
@main
struct ProgramHost {
  static func main() throws {
    let host = ProgramHost(runner: try ProgramRunner.start())
    while let line = readLine() {
      host.take(try JSONDecoder().decode(HostRequest.self, from: Data(line.utf8)))
    }
    host.runner.end()
  }

  private let runner: ProgramRunner
  private let runs = Runs()

  private final class Runs: Sendable {
    let tasks = Mutex<[Int: Task<Void, Never>]>([:])
    let output = Mutex(FileHandle.standardOutput)
  }

  private func take(_ request: HostRequest) {
    switch request {
    case .run(let number, let order):
      let order = order.order
      // The runner blocks its thread. Tests run no more than two programs at once.
      runs.tasks.withLock { $0[number] = Task { await run(number, order) } }
    case .runMany(let number, let order, let times):
      let order = order.order
      runs.tasks.withLock { $0[number] = Task { await runMany(number, order, times) } }
    case .cancel(let number): runs.tasks.withLock { $0[number] }?.cancel()
    case .count:
      let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      answer(.counted(descriptors: names?.count ?? 0))
    case .end:
      runner.end()
      answer(.over)
    }
  }

  private func run(_ number: Int, _ order: ProgramOrder) async {
    do {
      answer(.ended(number: number, .init(try await runner.run(order))))
    } catch is CancellationError {
      answer(.failed(number: number, "cancelled"))
    } catch {
      answer(.failed(number: number, "\(error)"))
    }
    runs.tasks.withLock { $0[number] = nil }
  }

  private func runMany(_ number: Int, _ order: ProgramOrder, _ times: Int) async {
    let succeeded = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var succeeded = 0
          for _ in 0..<times / 2 {
            if case .exited(0) = try? await runner.run(order).status { succeeded += 1 }
          }
          return succeeded
        }
      }
      return await group.reduce(0, +)
    }
    answer(.ranMany(number: number, succeeded: succeeded))
  }

  private func answer(_ answer: HostAnswer) {
    guard var line = try? JSONEncoder().encode(answer) else { return }
    line.append(UInt8(ascii: "\n"))
    runs.output.withLock { $0.write(line) }
  }
}
