import ArgumentParser
import Foundation
import SkyFiles
import SkyNetCore
import SkyNetDiscovery
import SkyNetJournal

/// A file that the command line may name, and the option that does, without its dashes.
public typealias FileOption = (flag: String, path: String?)

/// Checks of values on the command line. Each error names the option, the fault and the limit.
package enum Check {
  package static func range<Value: Comparable>(
    _ flag: String, _ value: Value?, _ limits: ClosedRange<Value>
  ) throws {
    guard let value, !limits.contains(value) else { return }
    let typed = "--\(flag) is \(plain(value)), but"
    let (least, most) = (plain(limits.lowerBound), plain(limits.upperBound))
    if value < limits.lowerBound { throw ValidationError("\(typed) at least \(least) is needed") }
    if value > limits.upperBound { throw ValidationError("\(typed) at most \(most) is allowed") }
    // A NaN is in no range, and on no side of one.
    throw ValidationError("\(typed) a number is needed")
  }

  /// A number above 0, however small.
  package static func positive(_ flag: String, _ value: Double?) throws {
    guard let value, !(value > 0) else { return }
    throw ValidationError("--\(flag) is \(plain(value)), but a number above 0 is needed")
  }

  /// A number as people write it: `-1`, not `-1.0`.
  private static func plain(_ value: some Comparable) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A duration in seconds, at most a day unless the option allows more.
  package static func seconds(
    _ flag: String, _ value: Double?, atLeast least: Double = 0.001,
    atMost most: Double = Hello.maximumTimeoutSeconds
  ) throws {
    guard let value, !(least...most).contains(value) else { return }
    let typed = "--\(flag) is \(TimeOption.text(value)), but"
    throw ValidationError(
      value < least
        ? "\(typed) at least \(TimeOption.text(least)) is needed"
        : "\(typed) at most \(TimeOption.text(most)) is allowed")
  }

  package static func slots(_ value: Int?) throws {
    try range("slots", value, 1...Hello.maximumSlots)
  }

  /// A name under which a node can be advertised.
  package static func name(_ name: String?) throws {
    guard let name else { return }
    do {
      try DNSSD.validate(name: name)
    } catch {
      throw ValidationError("--name: \(error)")
    }
  }

  /// Checks that the command writes no file that it also reads, and none twice, nor two outputs to one open
  /// descriptor or pipe. Devices may be named more than once.
  ///
  /// - Parameters:
  ///   - written: what is written; `-` is standard output.
  ///   - read: the files that are read.
  /// - Throws: `ValidationError` if two options name the same file, by the same path or another.
  package static func areDistinct(_ written: [FileOption], from read: [FileOption]) throws {
    var others = read.compactMap { file in
      file.path.map { (file.flag, $0, FileIdentity($0), isRead: true) }
    }
    for case (let flag, let path?) in written where !FileIdentity.isShared(output: path) {
      let place = FileIdentity(path, isOutput: true)
      if let other = others.first(where: { $0.2 == place }) {
        if other.isRead, path == "-" {
          throw ValidationError(
            "standard output leads to \(other.1), which --\(other.0) reads: send it to another file"
          )
        }
        if path == "-" || other.1 == "-", !other.isRead {
          throw ValidationError(
            "--\(other.0) and --\(flag) would both write to standard output: give one of them a file, such as "
              + "--\(flag) FILE"
          )
        }
        throw ValidationError(
          "--\(other.0) and --\(flag) name the same file, \(path)"
            + (ExactText(other.1) == ExactText(path) ? "" : " and \(other.1)")
            + ": give each its own")
      }
      others.append((flag, path, place, isRead: false))
    }
  }

  /// Checks that none of the files is one that SQLite keeps beside the journal.
  ///
  /// - Throws: `ValidationError`.
  package static func areDistinct(_ files: [FileOption], fromSideFilesOf journal: String?) throws {
    guard let journal else { return }
    let places = Set(SQLiteJournal.sideFiles(of: journal).map { FileIdentity($0) })
    for case (let flag, let path?) in files where path != "-" && places.contains(FileIdentity(path))
    {
      throw ValidationError(
        "--\(flag) names \(path), which is SQLite's own beside the journal \(journal): give it "
          + "another name")
    }
  }
}
