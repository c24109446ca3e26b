import SkyFiles
import SkyNetCommand
import SkyNetCore
import SkyPrograms

/// The names of the files that outputs become, such as `out/{name}.txt`.
struct OutputNames: Hashable, Sendable {
  private let pattern: BracePattern

  /// - Throws: `ValidationError` for an unknown placeholder, or a brace without its counterpart.
  init(_ text: String) throws {
    pattern = try BracePattern(text, flag: "output", known: Self.known) {
      $0 == Self.name || $0 == Self.folder || ProgramPlaceholder(named: $0) != nil
    }
  }

  private static let (name, folder) = ("name", "dir")
  private static let known =
    "{name} is the name of the input's file without .fits or the like, {dir} its folder, {#} counts inputs from 1, and {}, {/}, {//}, {.}, {/.}, "
    + "{1} and so on are as in the arguments"

  var text: String { pattern.text }
  var isFixed: Bool { pattern.isFixed }
  var example: String { pattern.withName }

  /// Whether each number has a name of its own.
  var tellsNumbersApart: Bool {
    (try? path(of: TemplateInput("0", place: 0))) != (try? path(of: TemplateInput("1", place: 1)))
  }

  /// - Parameter input: as it was given.
  /// - Throws: `UnmendableFailure` if the input lacks a column, or leads out of the folder that the name begins with.
  func path(of input: TemplateInput) throws(UnmendableFailure) -> String {
    var columns: [Substring]?
    var path = ""
    for part in pattern.parts {
      let value: String
      switch part {
      case .text(let text):
        path += text
        continue
      case .placeholder(Self.name): value = SplitPath.bareName(of: input.text)
      case .placeholder(Self.folder): value = SplitPath.split(input.text).folder ?? "."
      case .placeholder(let name):
        value = try ProgramPlaceholder(named: name[...])?.value(of: input, &columns) ?? ""
      }
      if !path.isEmpty,
        value.utf8.split(separator: UInt8(ascii: "/")).contains(where: {
          $0.elementsEqual("..".utf8)
        })
      {
        throw UnmendableFailure(
          "--output would leave its folder by the .. in \(value): take {/} or {name} for the file's name alone"
        )
      }
      path += value
    }
    return path
  }
}
