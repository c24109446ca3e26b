/// A file of the page, which the program has in itself. The build makes ``all`` of the folder `Page`.
package struct PageFile: Sendable {
  package let name: String
  package let text: String

  package static func named(_ name: some StringProtocol) -> PageFile? {
    all.first { $0.name == name }
  }

  /// Its media type.
  package var type: String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    default: "text/plain; charset=utf-8"
    }
  }
}
