import Foundation
import ProgramHost
import SkyProcess
import Synchronization
import TestSupport
import Testing

/// A process that runs programs for a test. `ProgramHost` says why it is not the test's own.
///
/// It ends when the test closes it, or with the tests' process.
final class RunningHost: Sendable {
  let id: pid_t
  private let requests: FileHandle
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var waiting: [Int: CheckedContinuation<HostAnswer, any Error>] = [:]
    /// What waits for an answer without a number.
    var asking: CheckedContinuation<HostAnswer, any Error>?
    var isOver = false
  }

  /// - Parameter temporaryFolder: where programs' own folders are made.
  init(temporaryFolder: String, environment: [String: String] = [:]) throws {
    let (requests, answers) = (try makePipe(), try makePipe())
    let variables = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no", "TMPDIR": temporaryFolder]) { $1 }
      .merging(environment) { $1 }
    id = try spawn(
      Self.program, [], variables, input: requests.reading.fileDescriptor,
      output: answers.writing.fileDescriptor, errors: STDERR_FILENO)
    self.requests = requests.writing
    try requests.reading.close()
    try answers.writing.close()
    Thread.detachNewThread { [reading = answers.reading] in
      var rest = Data()
      while case let part = reading.availableData, !part.isEmpty {
        rest.append(part)
        guard part.contains(UInt8(ascii: "\n")) else { continue }
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          self.take(try? JSONDecoder().decode(HostAnswer.self, from: rest[..<end]))
          rest = Data(rest[(end + 1)...])
        }
      }
      self.end()
    }
  }

  /// Beside the tests' bundle.
  private static var program: String {
    let tests = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap { $0 }
    let bundle = tests.first { $0.path.hasSuffix(".xctest") }?.deletingLastPathComponent()
    return (bundle ?? Bundle.main.bundleURL).appendingPathComponent("ProgramHost").path
  }

  /// Has a program run, and waits for its end.
  func run(
    _ words: String..., path: String? = nil, variables: [String: String] = [:],
    directory: String? = nil, input: Data? = nil, outputLimit: Int = 1 << 20
  ) async throws -> HostAnswer.Ending {
    let order = ProgramOrder(
      path: path ?? words[0], arguments: words, variables: variables, directory: directory,
      input: input, outputLimit: outputLimit)
    return try await start(order).ending
  }

  /// Has a shell run, and waits for its end.
  func shell(
    _ script: String, _ words: String..., outputLimit: Int = 1 << 20
  ) async throws -> HostAnswer.Ending {
    try await start(.shell(script, words, outputLimit: outputLimit)).ending
  }

  /// Has a program run.
  func start(_ order: ProgramOrder) -> StartedProgram {
    let number = next()
    let answer = Task {
      try await self.answer(to: .run(number: number, .init(order)), number: number)
    }
    return StartedProgram(host: self, number: number, answer: answer)
  }

  /// - Returns: how many exited with status 0.
  func runMany(_ order: ProgramOrder, times: Int) async throws -> Int {
    let number = next()
    let request = HostRequest.runMany(number: number, .init(order), times: times)
    guard case .ranMany(_, let succeeded) = try await answer(to: request, number: number) else {
      throw Failure("another answer")
    }
    return succeeded
  }

  func descriptors() async throws -> Int {
    guard case .counted(let count) = try await answer(to: .count, number: nil) else {
      throw Failure("another answer")
    }
    return count
  }

  /// Has the host end its runner.
  func endRunner() async throws { _ = try await answer(to: .end, number: nil) }

  fileprivate func send(_ request: HostRequest) {
    guard var line = try? JSONEncoder().encode(request) else { return }
    line.append(UInt8(ascii: "\n"))
    try? requests.write(contentsOf: line)
  }

  private func next() -> Int {
    state.withLock { state in
      state.count += 1
      return state.count
    }
  }

  private func answer(to request: HostRequest, number: Int?) async throws -> HostAnswer {
    try await withCheckedThrowingContinuation { continuation in
      let isOver = state.withLock { state in
        if let number { state.waiting[number] = continuation } else { state.asking = continuation }
        return state.isOver
      }
      if isOver { end() } else { send(request) }
    }
  }

  private func take(_ answer: HostAnswer?) {
    let continuation = state.withLock { state in
      switch answer {
      case .ended(let number, _), .failed(let number, _), .ranMany(let number, _):
        return state.waiting.removeValue(forKey: number)
      case .counted, .over, nil:
        defer { state.asking = nil }
        return state.asking
      }
    }
    guard let answer else { return }
    continuation?.resume(returning: answer)
  }

  private func end() {
    let waiting = state.withLock { state in
      defer { (state.waiting, state.asking, state.isOver) = ([:], nil, true) }
      return Array(state.waiting.values) + [state.asking].compactMap { $0 }
    }
    for continuation in waiting { continuation.resume(throwing: Failure("the host has ended")) }
  }

  /// Ends the host in order, and waits for its end.
  func close() {
    try? requests.close()
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  /// Kills the host, and reaps it.
  func kill() {
    _ = Foundation.kill(id, SIGKILL)
    close()
  }

  /// Why a program did not run to its end.
  struct Failure: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

/// A program that a host runs.
struct StartedProgram: Sendable {
  fileprivate let host: RunningHost
  fileprivate let number: Int
  fileprivate let answer: Task<HostAnswer, any Error>

  /// How it ended.
  ///
  /// - Throws: ``RunningHost/Failure``.
  var ending: HostAnswer.Ending {
    get async throws {
      switch try await answer.value {
      case .ended(_, let ending): return ending
      case .failed(_, let reason): throw RunningHost.Failure(reason)
      default: throw RunningHost.Failure("another answer")
      }
    }
  }

  func cancel() { host.send(.cancel(number: number)) }
}

extension ProgramOrder {
  /// A shell that runs a script.
  static func shell(
    _ script: String, _ words: [String] = [], outputLimit: Int = 1 << 20
  ) -> ProgramOrder {
    ProgramOrder(
      path: "/bin/sh", arguments: ["sh", "-c", script, "sh"] + words, outputLimit: outputLimit)
  }
}
