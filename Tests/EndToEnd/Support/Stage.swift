import Foundation
import SkyNetKeys
import Synchronization

/// A test's folder, account and processes. They end with it.
final class Stage: Sendable {
  private let folder: URL
  private let processes = Mutex<[RunningProcess]>([])

  private init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("skynet-end-to-end-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The key is made in advance, so that no process prints that it made one.
    _ = try KeySource.find(environment: ["XDG_CONFIG_HOME": account]).readOrMake()
  }

  /// Runs a test.
  ///
  /// - Throws: the test's error, together with its processes' output.
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

  /// The folder of the account's configuration and state. It has its own cluster key, so the stage's
  /// processes form their own cluster.
  var account: String { file("account") }

  /// The path of a file of the test.
  func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Moves a file's content to an executable file.
  ///
  /// Another process writes that. What this one writes is open for a moment in each process that another test starts
  /// meanwhile, and the system executes no file that is open for writing.
  func makeExecutable(_ path: String, from source: String) throws {
    let copying = Process()
    copying.executableURL = URL(fileURLWithPath: "/bin/cp")
    copying.arguments = ["--", source, path]
    try copying.run()
    copying.waitUntilExit()
    guard copying.terminationStatus == 0 else { throw Unexpected("\(source) cannot be copied") }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try FileManager.default.removeItem(atPath: source)
  }

  func launch(
    _ program: String, _ arguments: [String], _ environment: [String: String] = [:],
    in folder: String? = nil, unread: (stream: Int32, descriptor: Int32)? = nil
  ) throws -> RunningProcess {
    let process = try RunningProcess(
      program, arguments,
      environment: ["XDG_CONFIG_HOME": account, "XDG_STATE_HOME": account]
        .merging(environment) { $1 },
      in: folder, unread: unread)
    processes.withLock { $0.append(process) }
    return process
  }

  func skynet(_ arguments: String...) throws -> RunningProcess { try skynet(arguments) }

  func skynet(_ arguments: [String]) throws -> RunningProcess {
    try launch(Paths.binary, arguments)
  }

  /// Starts a node on the loopback interface, without DNS-SD, and waits until it is ready.
  func node(_ name: String, _ options: String...) async throws -> RunningNode {
    let arguments = ["node", "--name", name, "--host", "127.0.0.1", "--no-discovery"]
    return try await RunningNode(skynet(arguments + options))
  }

  /// Starts an engagement with these peers, without DNS-SD, that writes its results to a file. It has slots of its
  /// own, unless the options say otherwise; without any, nodes on the same machine would be used instead.
  func engage(peers ports: [Int] = [], _ options: String...) throws -> RunningEngagement {
    try engage(peers: ports, options)
  }

  func engage(
    peers ports: [Int] = [], _ options: [String], _ environment: [String: String] = [:],
    in folder: String? = nil
  ) throws -> RunningEngagement {
    let results = file("results-\(UUID().uuidString)")
    let peers = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
    let arguments =
      ["engage", "--no-discovery", "--results", results]
      + (ports.isEmpty ? [] : ["--peers", peers])
    let slots =
      options.contains("--slots") || options.contains("--no-local") ? [] : ["--slots", "4"]
    // The nodes are there, but a busy machine takes its time to connect to them.
    let isPatient = options.contains("--wait-for") && !options.contains("--wait-timeout")
    let patience = isPatient ? ["--wait-timeout", "120"] : []
    return RunningEngagement(
      process: try launch(
        Paths.binary, arguments + slots + patience + options, environment, in: folder),
      resultsFile: results)
  }
}

/// The paths of the program and the package.
enum Paths {
  /// The program under test: the one beside the tests, or the one that SKYNET_BINARY names.
  static let binary =
    ProcessInfo.processInfo.environment["SKYNET_BINARY"]
    ?? (bundle ?? Bundle.main.bundleURL).appendingPathComponent("skynet").path

  /// The folder with Package.swift.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the tests' bundle or program, depending on the platform.
  private static var bundle: URL? {
    let tests = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL].compactMap { $0 }
    return tests.first { $0.pathExtension == "xctest" }?.deletingLastPathComponent()
  }
}
