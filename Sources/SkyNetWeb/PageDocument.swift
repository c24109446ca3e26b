package import Foundation
import SkyNetHTTP

/// Something that a run has made and its page hands out. No request names a path: a document has a fixed address.
package struct PageDocument: Sendable {
  package enum Kind: String, Sendable { case catalog, picture, report, results }

  package let kind: Kind
  package let name: String
  /// Where the page serves it, relative to itself.
  let url: String
  let reply: @Sendable (_ headers: [String: String]) async -> WebReply?

  /// A file as it is now; `nil` if there is none, or it was written before a time.
  ///
  /// - Parameters:
  ///   - path: where the file is. Another one that takes its place later is not served.
  ///   - number: the document's number in its page.
  ///   - start: seconds since 1970.
  package init?(_ kind: Kind, file path: String, number: Int, writtenSince start: Double) {
    guard let (file, written) = RegularFile.identity(of: path), written >= start.rounded(.down)
    else { return nil }
    self.kind = kind
    name = URL(fileURLWithPath: path).lastPathComponent
    url = "files/\(number)"
    let type = Self.type(of: name)
    let disposition =
      (type.hasPrefix("image/") ? "inline" : "attachment")
      + "; filename*=UTF-8''"
      + (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "file")
    reply = { headers in
      guard let handle = RegularFile.open(path, as: file) else { return nil }
      return WebReply(
        type: type, headers: headers.merging(["Content-Disposition": disposition]) { $1 },
        body: .stream { write in
          while let bytes = try handle.read(upToCount: 262_144), !bytes.isEmpty {
            try await write(Array(bytes))
          }
        })
    }
  }

  /// The report of the run, which is made when it is asked for.
  package init(reportOf journal: String, html: @escaping @Sendable () async throws -> Data) {
    kind = .report
    name = URL(fileURLWithPath: journal).deletingPathExtension().lastPathComponent + ".html"
    url = "report"
    reply = { headers in
      guard let html = try? await html() else { return nil }
      // The report's own policy is stricter: it names the hashes of its scripts and styles.
      let policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      return WebReply(
        type: "text/html; charset=utf-8",
        headers: headers.merging(["Content-Security-Policy": policy]) { $1 },
        body: .bytes(Array(html)))
    }
  }

  /// A type that no browser runs anything of.
  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "png": "image/png"
    case "csv": "text/csv; charset=utf-8"
    case "json": "application/json"
    case "jsonl": "application/x-ndjson"
    case "fits", "fit": "application/fits"
    default: "application/octet-stream"
    }
  }
}

/// A file that is none of another kind: to open a pipe would wait for its writer.
private enum RegularFile {
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  /// Which file it is, and when it was written last, in seconds since 1970.
  static func identity(of path: String) -> (Identity, written: Double)? {
    guard let handle = handle(path) else { return nil }
    return identity(of: handle)
  }

  /// Opens the file if it still is the same.
  static func open(_ path: String, as file: Identity) -> FileHandle? {
    guard let handle = handle(path), identity(of: handle)?.0 == file else { return nil }
    return handle
  }

  private static func handle(_ path: String) -> FileHandle? {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  private static func identity(of handle: FileHandle) -> (Identity, written: Double)? {
    var status = stat()
    guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    #if canImport(Darwin)
      let written = status.st_mtimespec
    #else
      let written = status.st_mtim
    #endif
    return (
      Identity(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        number: UInt64(truncatingIfNeeded: status.st_ino)),
      Double(written.tv_sec) + Double(written.tv_nsec) / 1e9
    )
  }
}

/// What a run has come to, when it has ended.
package struct RunEnding: Sendable {
  /// In words.
  package let summary: String
  package let documents: [PageDocument]

  package init(summary: String, documents: [PageDocument]) {
    (self.summary, self.documents) = (summary, documents)
  }
}
