import Foundation
import Logging
import SkyNetDiscovery

/// The files and directories that the jobs need.
enum SlurmPlaces {
  struct Fault: Error, Hashable, CustomStringConvertible {
    let description: String

    static let keyInEnvironment = Fault(
      description:
        "the key is in SKYNET_KEY, and Slurm would store it with the job: put it into a file that compute "
        + "nodes share (\(Program.name) key import --key-file FILE), and name that with --key-file")
  }

  /// Directories that each machine has for itself.
  private static let local = ["/tmp", "/var/tmp", "/dev", "/run", "/var/run", "/etc"]

  /// The directory below this account's own for programs' state.
  ///
  /// - Throws: ``Fault``.
  static func defaultDirectory(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(Fault) -> String {
    guard let folder = StateFolder.path(environment) else {
      throw Fault(
        description:
          "HOME is not set, so there is no place for the nodes to meet: name a shared directory with "
          + "--rendezvous")
    }
    return folder + "/slurm"
  }

  /// - Throws: ``Fault`` if there is no such program.
  static func program(_ path: String?) throws(Fault) -> String {
    if let path {
      guard FileManager.default.isExecutableFile(atPath: path) else {
        throw Fault(
          description:
            "--program: there is no program \(path) here, where it should be the same as on the compute "
            + "nodes")
      }
      return absolute(path)
    }
    if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      return own
    }
    return absolute(CommandLine.arguments[0])
  }

  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Makes the directories that may be made, and checks the others.
  ///
  /// - Throws: ``Fault``, `RendezvousError`.
  static func prepare(
    _ script: SlurmScript, makingDirectory: Bool, keyFile: String?, _ console: Console
  ) throws {
    if makingDirectory { try make(script.directory) }
    try Rendezvous(script.directory).check(isWriting: true)
    try make(script.logs)
    for (what, path) in [
      ("directory", script.directory), ("logs' directory", script.logs),
      ("program", script.program), ("key file", keyFile),
    ] {
      guard let path, let place = local.first(where: { path.hasPrefix($0 + "/") }) else { continue }
      console.line(
        "the \(what) \(path) is below \(place), which each machine usually has for itself: compute nodes need the same one",
        level: .warning)
    }
  }

  private static func make(_ directory: String) throws(Fault) {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw Fault(
        description: "the directory \(directory) cannot be made: \(error.localizedDescription)")
    }
  }
}
