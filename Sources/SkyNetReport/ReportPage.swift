import CSodium

package import struct Foundation.Data

/// The page that shows a report: one file that needs no network. It is the page of `--web`, with its styles,
/// scripts and the report's data written into it.
package struct ReportPage {
  /// A fault in the page's files, which are a part of the program.
  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  private let file: (String) -> String?

  /// - Parameter file: the text of one of the page's files. `index.html` names its styles and scripts each on a
  ///   line of its own, and says by the comments `report` and `policy` where the data and the policy go.
  package init(_ file: @escaping (String) -> String?) { self.file = file }

  /// The page with a report's data.
  ///
  /// - Parameter json: one object of JSON without any `<`.
  /// - Throws: ``Malformed``.
  package func html(with json: [UInt8]) throws -> Data {
    guard !json.contains(UInt8(ascii: "<")) else {
      throw Malformed(description: "the report's data could end the script that holds it")
    }
    var policy = Policy()
    var lines: [Line] = []
    for line in try text(of: "index.html").split(separator: "\n", omittingEmptySubsequences: false)
    {
      lines.append(try self.line(String(line), &policy))
    }
    guard lines.contains(.data) else {
      throw Malformed(description: "the page has no place for the report's data")
    }
    var html = Data()
    for line in lines {
      switch line {
      case .text(let text): html.append(contentsOf: text.utf8)
      case .policy: html.append(contentsOf: policy.meta.utf8)
      case .data:
        html.append(contentsOf: #"<script type="application/json" id="report">"#.utf8)
        html.append(contentsOf: json)
        html.append(contentsOf: "</script>".utf8)
      }
      html.append(UInt8(ascii: "\n"))
    }
    return html
  }

  private enum Line: Equatable {
    case text(String)
    case policy, data
  }

  private func line(_ line: String, _ policy: inout Policy) throws -> Line {
    let trimmed = String(line.drop { $0 == " " })
    if trimmed == "<!-- policy -->" { return .policy }
    if trimmed == "<!-- report -->" { return .data }
    if let name = trimmed.between(#"<link rel="stylesheet" href=""#, #"">"#) {
      let style = try contents(of: name, closing: "</style")
      policy.styles.append(Self.hash(style))
      return .text("<style>\(style)</style>")
    }
    if let name = trimmed.between(#"<script src=""#, #""></script>"#) {
      let script = try contents(of: name, closing: "</script")
      policy.scripts.append(Self.hash(script))
      return .text("<script>\(script)</script>")
    }
    return .text(line)
  }

  private func text(of name: String) throws -> String {
    guard let text = file(name) else {
      throw Malformed(description: "the page needs \(name), which the program does not have")
    }
    return text
  }

  private func contents(of name: String, closing: String) throws -> String {
    let text = try text(of: name)
    guard !text.lowercased().contains(closing), !text.contains("<!--") else {
      throw Malformed(description: "\(name) ends the element that it is written into")
    }
    return text
  }

  /// What the page may do: run and use what is written into it, and nothing else.
  private struct Policy {
    var scripts: [String] = []
    var styles: [String] = []

    var meta: String {
      func list(_ hashes: [String]) -> String {
        hashes.isEmpty ? "'none'" : hashes.map { "'sha256-\($0)'" }.joined(separator: " ")
      }
      return #"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; "#
        + "script-src \(list(scripts)); style-src \(list(styles)); img-src data: blob:; "
        + #"base-uri 'none'; form-action 'none'">"#
    }
  }

  private static func hash(_ text: String) -> String {
    var hash = Data(count: Int(crypto_hash_sha256_bytes()))
    let bytes = Array(text.utf8)
    hash.withUnsafeMutableBytes { hash in
      if let start = hash.bindMemory(to: UInt8.self).baseAddress {
        crypto_hash_sha256(start, bytes, UInt64(bytes.count))
      }
    }
    return hash.base64EncodedString()
  }
}

extension String {
  /// What stands between two texts that the string begins and ends with.
  fileprivate func between(_ start: String, _ end: String) -> String? {
    guard hasPrefix(start), hasSuffix(end), count > start.count + end.count else { return nil }
    return String(dropFirst(start.count).dropLast(end.count))
  }
}
