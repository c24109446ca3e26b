import Foundation
import SkyFiles

/// A program of the system's that is run to its end, such as `sbatch`.
struct ExternalProgram: Sendable {
  /// Why a program could not do its work.
  struct Failure: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  let name: String
  private let path: String

  /// - Throws: ``Failure`` if no folder of `PATH` has the program.
  init(_ name: String) throws(Failure) {
    guard let path = ProgramSearch.path(of: name) else {
      throw Failure(
        description:
          "there is no \(name) on the PATH: run this where Slurm's commands are, such as on a login "
          + "machine, or with --dry-run")
    }
    self.name = name
    self.path = path
  }

  /// Runs the program, with this process's environment.
  ///
  /// - Parameters:
  ///   - input: what it reads from standard input.
  ///   - leavingOut: the variables that it is not to see.
  /// - Returns: what it printed on standard output.
  /// - Throws: ``Failure`` with what it printed on standard error, unless it ends with 0.
  func run(
    _ arguments: [String], input: String = "", leavingOut: (String) -> Bool = { _ in false }
  ) async throws -> String {
    let environment = ProcessInfo.processInfo.environment.filter { !leavingOut($0.key) }
    return try await withCheckedThrowingContinuation { continuation in
      Self.threads.async {
        continuation.resume(
          with: Result { try self.runAndWait(arguments, input, environment) })
      }
    }
  }

  /// Programs are waited for here, as Swift's cooperative threads must not block.
  private static let threads = DispatchQueue(
    label: "skynet.programs", attributes: .concurrent)

  private func runAndWait(
    _ arguments: [String], _ input: String, _ environment: [String: String]
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = errors
    do {
      try process.run()
    } catch {
      throw Failure(description: "\(path) cannot be run: \(error.localizedDescription)")
    }
    // A program that does not read its input closes the pipe; its own message tells why. What is written here and
    // what comes on standard error is less than a pipe holds.
    try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? standardInput.fileHandleForWriting.close()
    let printed = try? output.fileHandleForReading.readToEnd()
    let complaint = try? errors.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Failure(
        description: Self.fault(
          of: name, String(decoding: complaint ?? Data(), as: UTF8.self),
          status: process.terminationStatus))
    }
    return String(decoding: printed ?? Data(), as: UTF8.self)
  }

  /// What a program that failed has said, on one line.
  static func fault(of name: String, _ complaint: String, status: CInt) -> String {
    let lines = complaint.split(separator: "\n").map { line in
      line.hasPrefix("\(name): ") ? line.dropFirst(name.count + 2) : line
    }
    return "\(name) failed: "
      + (lines.isEmpty ? "it ended with \(status)" : lines.joined(separator: "; "))
  }
}
