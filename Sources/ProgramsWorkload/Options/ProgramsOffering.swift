package import ArgumentParser
import Foundation
import Logging
import SkyFiles
package import SkyNetCommand
import SkyNetCore
import SkyPrograms
import Synchronization

/// Which programs a node runs, and for whom.
package struct ProgramsOffering: NodeOffering {
  package init() {}

  package static var examples: [String] { ["--programs /usr/local/bin/reduce"] }

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      Run these programs for every member of the cluster, or any program for "any". A shell or an interpreter among \
      them is leave for anything that this account may do. Without it, only an engagement of this machine and account \
      has programs run.
      """, valueName: "path"), completion: .file())
  package var programs: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      Run those of --programs for other accounts and machines also in these folders and those below, if the engagement \
      was started in one of them. What lies there may decide what a program does. Without it, they run in an empty \
      folder.
      """, valueName: "dir"), completion: .directory)
  package var programsIn: [String] = []

  private var isAny: Bool { programs == ["any"] }

  package var arguments: [String] {
    let allowed = isAny ? programs : programs.map(Self.path)
    return (programs.isEmpty ? [] : ["--programs"] + allowed)
      + (programsIn.isEmpty ? [] : ["--programs-in"] + programsIn.map { AbsolutePath.of($0) })
  }

  package func validate() throws {
    if programs.contains("") {
      throw ValidationError("--programs is empty, but a program's path or \"any\" is needed")
    }
    if programsIn.contains("") {
      throw ValidationError("--programs-in is empty, but a folder's name is needed")
    }
    if !programsIn.isEmpty, programs.isEmpty {
      throw ValidationError(
        "--programs-in says where programs of other accounts and machines run: allow some with --programs"
      )
    }
    if programs.count > 1, programs.contains("any") {
      throw ValidationError(
        "--programs any allows all programs: leave the others out, or write ./any for a file of that name"
      )
    }
  }

  package func offer(withholding files: [String]) throws -> NodeOffer {
    let refused = RefusalLines()
    return NodeOffer(
      scans: [SkyPrograms.Program(access: try access(), in: try folders()) { refused.tell($0) }])
  }

  private func folders() throws -> TrustedFolders {
    do throws(TrustedFolders.MissingFolder) {
      return try TrustedFolders(programsIn)
    } catch {
      throw MissingFolder(name: error.name)
    }
  }

  private func access() throws -> ProgramAccess {
    guard !programs.isEmpty else { return .ownAccount }
    if isAny { return .any }
    let files = try programs.map {
      guard let program = AllowedProgram(Self.path($0)) else { throw MissingProgram(name: $0) }
      return program
    }
    for place in Set(programs.compactMap { ExposedPlace.first(onTheWayTo: Self.path($0)) }) {
      Console.standardError.line(Self.warning(of: place), level: .warning)
    }
    return .files(files)
  }

  private static func warning(of place: ExposedPlace) -> String {
    let path = ShellWord.quoted(place.path.showingControls)
    let fault =
      place.owner.map { "belongs to another account (\($0))" } ?? "can be written by other accounts"
    let remedy = place.owner == nil ? "chmod go-w" : "chown \(geteuid())"
    return "--programs: \(path) \(fault), so these choose what runs here: \(remedy) \(path)"
  }

  /// The absolute path of a program; one without a slash is looked for in the PATH.
  private static func path(_ name: String) -> String {
    AbsolutePath.of(name.hasSlash ? name : ProgramSearch.path(of: name) ?? name)
  }

  private struct MissingFolder: Error, CustomStringConvertible {
    let name: String

    var description: String {
      "--programs-in \(name): there is no such folder, or this account may not look into it: check its path"
    }
  }

  private struct MissingProgram: Error, CustomStringConvertible {
    let name: String

    var description: String {
      "--programs \(name): there is no such program, or this account may not execute it: check its path and permissions"
    }
  }
}

/// Says on a node's console what it has refused, each once.
private final class RefusalLines: Sendable {
  /// The most lines: the texts are a stranger's.
  private static let limit = 50
  private let told = Mutex<Set<String>>([])

  func tell(_ reason: String) {
    let reason = reason.bounded
    let isNew = told.withLock { $0.count < Self.limit && $0.insert(reason).inserted }
    if isNew { Console.standardError.line(reason, level: .warning) }
  }
}
