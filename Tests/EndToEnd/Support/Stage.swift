import Foundation
import SkyNetKeys
import Synchronization

/// Where a test's processes run and its files lie; both end with it.
final class Stage: Sendable {
  private let folder: URL
  private let processes = Mutex<[Running]>([])

  private init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("skynet-end-to-end-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // What a process says when it makes the key is no test's business but that one's.
    _ = try KeySource.find(environment: ["XDG_CONFIG_HOME": account]).readOrMake()
  }

  /// - Throws: what the test throws, with what its processes said.
  static func with(_ test: (Stage) async throws -> Void) async throws {
    let stage = try Stage()
    let result: Result<Void, any Error>
    do {
      result = .success(try await test(stage))
    } catch {
      let accounts = stage.processes.withLock { $0.map(\.account) }
      result = .failure(Unexpected("\(error)\n\n" + accounts.joined(separator: "\n\n")))
    }
    await stage.clear()
    try result.get()
  }

  private func clear() async {
    let processes = processes.withLock { $0 }
    for process in processes { process.send(SIGKILL) }
    for process in processes { _ = try? await process.end() }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The account's configuration: its processes are of a cluster of their own.
  var account: String { file("account") }

  /// A path for a file of the test.
  func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

  func launch(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> Running {
    let process = try Running(
      program, arguments, environment: ["XDG_CONFIG_HOME": account].merging(environment) { $1 })
    processes.withLock { $0.append(process) }
    return process
  }

  func skynet(_ arguments: String...) throws -> Running { try skynet(arguments) }

  func skynet(_ arguments: [String]) throws -> Running {
    try launch(Place.binary, arguments)
  }

  /// A node that is ready, on the loopback interface and without DNS-SD.
  func node(_ name: String, _ options: String...) async throws -> RunningNode {
    let arguments = ["node", "--name", name, "--host", "127.0.0.1", "--no-discovery"]
    return try await RunningNode(skynet(arguments + options))
  }

  /// An engagement with these peers, without DNS-SD, that writes its results to a file.
  func engage(peers ports: [Int] = [], _ options: String...) throws -> Engaging {
    try engage(peers: ports, options)
  }

  func engage(
    peers ports: [Int] = [], _ options: [String], _ environment: [String: String] = [:]
  ) throws -> Engaging {
    let results = file("results-\(UUID().uuidString)")
    let peers = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
    let arguments =
      ["engage", "--no-discovery", "--results", results]
      + (ports.isEmpty ? [] : ["--peers", peers])
    return Engaging(
      process: try launch(Place.binary, arguments + options, environment), resultsFile: results)
  }
}

/// Where things are.
enum Place {
  /// The program under test: beside the tests, unless SKYNET_BINARY names another.
  static let binary =
    ProcessInfo.processInfo.environment["SKYNET_BINARY"]
    ?? (bundle ?? Bundle.main.bundleURL).appendingPathComponent("skynet").path

  /// The folder that Package.swift is in.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of what holds the tests, which is a bundle on some platforms, and a program on
  /// others.
  private static var bundle: URL? {
    let tests = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap { $0 }
    return tests.first { $0.pathExtension == "xctest" }?.deletingLastPathComponent()
  }
}
