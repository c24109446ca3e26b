import ArgumentParser
import Foundation
import SkyFiles

/// A program that has all commands, for scans of its own: `node`, `engage`, `watch`, `report` and so on.
///
/// ```swift
/// @main struct PrimesCommand: SkyNetProgram {
///   static let workloads: [any Workload.Type] = [CountPrimes.self]
/// }
/// ```
public protocol SkyNetProgram: SendableMetatype {
  /// The workloads, in the order in which they are asked whether a command line chooses them. The last one is the
  /// default.
  static var workloads: [any Workload.Type] { get }
  /// The program's name, as people type it. By default that of the file that was started.
  static var name: String { get }
  /// What the program is for, in one sentence for its help.
  static var abstract: String { get }
}

extension SkyNetProgram {
  public static var name: String {
    URL(fileURLWithPath: CommandLine.arguments.first ?? "skynet").lastPathComponent
  }
  public static var abstract: String { "Spread scans over every machine around." }

  /// Runs the command that the command line asks for, and exits. It is synchronous because the first `await` would
  /// start a second thread.
  public static func main() {
    // Before anything that takes time: scripts ask for the version of every program that they use.
    if CommandLine.arguments.dropFirst() == ["--version"] {
      print(BuildVersion.text(of: name))
      exit(0)
    }
    let addressesAreLimited = MemoryLimit.areAddressesLimited
    Allocator.keepFreedMemory(addressesAreLimited: addressesAreLimited)
    do {
      // Checked only with a limit on addresses, since looking all limits up takes time.
      if addressesAreLimited { try MemoryShortage.check("to begin", .toBegin) }
    } catch {
      exit(failHere(error).rawValue)
    }
    StandardOutput.ignoreBrokenPipes()
    StandardOutput.reserveDescriptors()
    Program.become(Self.self)
    let arguments = OddName.commandLine
    for workload in workloads { workload.begin(arguments) }
    do {
      // After a workload's forks, which come before any thread.
      try ThreadShortage.check(ThreadNeed.toBegin)
    } catch {
      exit(failHere(error).rawValue)
    }
    Task { @MainActor in
      await Program.perform(arguments)
      exit(0)
    }
    dispatchMain()
  }
}
