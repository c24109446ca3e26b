import Foundation

/// What an HTTP server of this machine answers.
struct HTTPAnswer {
  let status: Int
  let headers: [String: String]
  let body: String

  /// Asks a port of this machine for a page.
  ///
  /// - Throws: ``Unexpected`` if the answer is not HTTP.
  static func get(
    _ path: String, port: Int, host: String = "127.0.0.1", _ headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    let lines =
      ["GET \(path) HTTP/1.1", "Host: \(host):\(port)", "Connection: close"]
      + headers.map { "\($0.key): \($0.value)" }
    let request = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    return try HTTPAnswer(try await RawConnection.answer(to: request, port: port))
  }

  private init(_ data: Data) throws {
    let text = String(decoding: data, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { throw Unexpected("no HTTP: \(text)") }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Unexpected("no HTTP: \(lines[0])")
    }
    self.status = status
    headers = Dictionary(
      lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (
          parts[0].lowercased(),
          parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        )
      }
    ) { first, _ in first }
    body = String(text[end.upperBound...])
  }

  /// The samples of Prometheus's text, by name and labels.
  var samples: [String: Double] {
    Dictionary(
      body.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        line.lastIndex(of: " ").flatMap { space in
          Double(line[line.index(after: space)...]).map { (String(line[..<space]), $0) }
        }
      }
    ) { first, _ in first }
  }
}

/// A program that a test needs and that a machine may lack.
enum Program {
  static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }
}
