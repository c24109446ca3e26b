import Foundation
package import SkyProcess

extension ProgramEnding {
  /// The end of the reason of a failed program that left processes running.
  package static let leftNote = " (what it left running was ended a second later)"
}

/// The end of a program that failed, as the reason of a failure says it first.
extension ProgramEnding.Status {
  /// - Parameter errors: the last of what the program wrote to standard error.
  func text(_ errors: String) -> String {
    let said = errors.trimmingCharacters(in: .whitespacesAndNewlines)
    let end =
      switch self {
      case .exited(let status): "exit status \(status)"
      case .signaled(let signal): "signal \(signal) (\(String(cString: strsignal(signal))))"
      }
    return said.isEmpty ? end : "\(end): \(said)"
  }

  /// - Returns: `nil` if the reason is another one.
  package init?(reason: String) {
    func number(after words: String) -> CInt? {
      guard reason.hasPrefix(words) else { return nil }
      return CInt(reason.dropFirst(words.count).prefix { $0.isNumber })
    }
    if let status = number(after: "exit status ") {
      self = .exited(status)
    } else if let signal = number(after: "signal ") {
      self = .signaled(signal)
    } else {
      return nil
    }
  }
}
