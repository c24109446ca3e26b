import Foundation
import SkyFiles
import SkyNetCore
import SkyProcess

/// The start of a program, and what is said if it fails.
struct ProgramStart {
  private let order: ProgramOrder
  /// The program's path for this process.
  private let file: String

  init(_ order: ProgramOrder, file: String) { (self.order, self.file) = (order, file) }

  /// Runs the program. A text that names no interpreter in its first line is given to sh, as shells and xargs do.
  ///
  /// - Throws: `SystemUnsuited` if the program cannot be started here; `SystemFull` if that is for now;
  ///   `UnmendableFailure` if it can nowhere; `CancellationError`; `ProgramFault`.
  func run(by runner: ProgramRunner) async throws -> ProgramEnding {
    do {
      do {
        return try await runner.run(order)
      } catch ProgramFault.notStarted(.program, ENOEXEC) where !isBinary {
        var shell = order
        shell.path = "/bin/sh"
        // A name that begins with a dash is no option.
        shell.arguments = ["sh", "--", order.path] + order.arguments.dropFirst()
        return try await runner.run(shell)
      }
    } catch let fault as ProgramFault {
      throw error(fault)
    }
  }

  /// What a fault means for the sector and the system.
  private func error(_ fault: ProgramFault) -> any Error {
    switch fault {
    case .notStarted(.program, E2BIG), .notAWord: UnmendableFailure("\(fault)")
    case .notStarted(_, let reason) where ProgramFault.isShortage(reason): SystemFull("\(fault)")
    // Another attempt may go otherwise.
    case .notStarted(.process, _), .outputNotKept, .keeperEnded: fault
    case .notStarted(_, let reason) where ProgramFault.mayPass(reason): fault
    case .notStarted(.program, ENOENT): SystemUnsuited(missingInterpreter ?? "\(fault)")
    case .notStarted(.program, _), .notStarted(.directory, _), .launcherEnded:
      SystemUnsuited("\(fault)")
    }
  }

  /// What is said where the interpreter is missing that the file's first line names; `nil` if it names none.
  private var missingInterpreter: String? {
    guard let head = SmallFile.head(of: file, most: 256), head.starts(with: "#!".utf8) else {
      return nil
    }
    let line = head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    guard let name = line.split(whereSeparator: { " \t".utf8.contains($0) }).first else {
      return nil
    }
    guard name.last != UInt8(ascii: "\r") else {
      return
        "the first line of \(order.path) ends in a carriage return, so that its interpreter is not found: end the lines as "
        + "Unix does (sed -i 's/\\r$//')"
    }
    return
      "there is no \(String(decoding: name, as: UTF8.self)) here, which the first line of \(order.path) names: install it, "
      + "or name another one"
  }

  /// Whether the file is an executable of Linux, if of another machine; or cannot be read.
  private var isBinary: Bool {
    SmallFile.head(of: file, most: 4).map { $0 == Array("\u{7f}ELF".utf8) } ?? true
  }
}

/// A program that failed.
package struct ProgramFailure: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension ProgramSettings {
  /// What a program's end comes to.
  ///
  /// - Throws: ``ProgramFailure``, or `UnmendableFailure` where no other attempt would go otherwise.
  func output(of ending: ProgramEnding) throws -> ProgramOutput {
    let errors = String(decoding: ending.errors, as: UTF8.self)
    guard !ending.isTooLong else { throw UnmendableFailure(Self.tooLong(outputLimit)) }
    let reason = ending.status.text(errors) + (ending.left.processes ? ProgramEnding.leftNote : "")
    switch ending.status {
    case .exited(0): break
    case .exited(let status) where failFast.contains(Int(status)): throw UnmendableFailure(reason)
    case .exited, .signaled: throw ProgramFailure(reason)
    }
    try form.check(ending.output)
    return ProgramOutput(
      output: BulkBytes(ending.output), errors: sendsErrors && !errors.isEmpty ? errors : nil)
  }

  private static func tooLong(_ limit: Int) -> String {
    let size = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit) bytes"
    return "its output is longer than \(size): "
      + (limit < outputLimit
        ? "as a file, by --output 'FOLDER/{name}.txt', it may have \(outputLimit >> 20) MiB"
        : "have the program write the file itself, as -- sh -c 'PROGRAM \"$1\" >\"$2\"' sh {} FOLDER/{/.}.txt does")
  }
}
