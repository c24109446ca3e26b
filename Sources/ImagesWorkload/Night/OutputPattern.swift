import ArgumentParser
import SkyFiles
import SkyNetCommand

/// A name for the outputs of many images, such as `out/{name}_{ext}.csv`.
///
/// A placeholder in braces stands for what differs from image to image; `{{` and `}}` stand for the
/// braces themselves.
struct OutputPattern: Hashable, Sendable {
  enum Placeholder: String, CaseIterable, Sendable {
    /// The file's name without its folder, and without `.fits`, `.fit` or `.fts` and a following
    /// `.fz` or `.gz`, in any case.
    case name
    /// The extension's name or number. It is empty where the file has only one image; one separator
    /// beside it is left out then (see ``path(for:label:)``).
    case ext
    /// The file's folder as it was given; `.` if none was.
    case dir
  }

  private let pattern: BracePattern

  /// The pattern as it was given.
  var text: String { pattern.text }

  /// - Parameter flag: the option that has the pattern, without its dashes.
  /// - Throws: `ValidationError` for an unknown placeholder, or a brace without its counterpart.
  init(_ text: String, flag: String) throws {
    pattern = try BracePattern(text, flag: flag, known: Self.known) {
      Placeholder(rawValue: String($0)) != nil
    }
  }

  func has(_ placeholder: Placeholder) -> Bool {
    pattern.parts.contains(.placeholder(placeholder.rawValue))
  }

  /// Whether the output's name is the same for every image.
  var isFixed: Bool { pattern.isFixed }

  /// Checks that several images can get different names.
  ///
  /// - Parameter flag: the option that has the pattern, without its dashes.
  /// - Throws: `ValidationError` if they cannot.
  func checkForSeveralImages(flag: String) throws {
    guard isFixed else { return }
    guard !FileIdentity.isStream(text) else {
      throw ValidationError(
        "--\(flag) \(text) would get every image's output: give each a file, such as "
          + "--\(flag) '{name}.\(flag == "picture" ? "png" : "csv")'")
    }
    throw ValidationError(
      "--\(flag) \(text) would get every image's output: put {name} into it, such as "
        + "--\(flag) '\(pattern.withName)'")
  }

  /// The output's path for an image.
  ///
  /// Where `{ext}` is empty, the character before it is left out if it is one of `_`, `-`, `.`, `+`
  /// and space; at the beginning of a name, the character after it is left out if it is one of these
  /// or a slash. So `{name}_{ext}.csv` is `a.csv` for a file with one image, and `a_CCD2.csv` for an
  /// image of several.
  ///
  /// - Parameters:
  ///   - path: the image's file, without brackets.
  ///   - label: the extension's name or number, as ``ExtensionLabels`` makes it; `nil` or empty where
  ///     the file has only one image.
  func path(for path: String, label: String? = nil) -> String {
    var result = ""
    var leavesOutNext = false
    for part in pattern.parts {
      switch part {
      case .text(var text):
        if leavesOutNext, let first = text.utf8.first,
          Self.separators.contains(first) || first == UInt8(ascii: "/")
        {
          text.unicodeScalars.removeFirst()
        }
        result += text
        leavesOutNext = false
      case .placeholder(Placeholder.name.rawValue):
        result += SplitPath.bareName(of: path)
        leavesOutNext = false
      case .placeholder(Placeholder.dir.rawValue):
        result += SplitPath.split(path).folder ?? "."
        leavesOutNext = false
      case .placeholder:
        if let label, !label.isEmpty {
          result += label
          leavesOutNext = false
        } else if result.isEmpty || result.utf8.last == UInt8(ascii: "/") {
          leavesOutNext = true
        } else if let last = result.utf8.last, Self.separators.contains(last) {
          result.unicodeScalars.removeLast()
        }
      }
    }
    return result
  }

  private static let separators = Set("_-.+ ".utf8)

  private static let known =
    "{name} is the image's name, {ext} its extension and {dir} its folder"
}
