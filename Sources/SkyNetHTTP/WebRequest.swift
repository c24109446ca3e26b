import HTTPTypes

/// A request, as far as a server needs it that only shows something.
package struct WebRequest: Sendable {
  /// The path without its query, as it was sent.
  package let path: String
  /// What the client calls this server, with the port if it said one; `nil` if it said nothing.
  package let host: String?
  private let query: Substring
  private let fields: HTTPFields

  package init(target: String, host: String?, headers: [String: String] = [:]) {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    self.init(target: target, host: host, fields: fields)
  }

  init(target: String, host: String?, fields: HTTPFields) {
    let mark = target.firstIndex(of: "?") ?? target.endIndex
    path = String(target[..<mark])
    query = target[mark...].dropFirst()
    self.host = host
    self.fields = fields
  }

  /// The value of a query item, with percent signs as they were sent; `nil` if there is none of this name.
  package func query(_ name: String) -> String? {
    value(of: name, in: query, separator: "&")
  }

  package func header(_ name: String) -> String? {
    HTTPField.Name(name).flatMap { fields[$0] }
  }

  package func cookie(_ name: String) -> String? {
    // A browser sends one header; a cookie of this name for a longer path would come first.
    value(of: name, in: (fields[.cookie] ?? "")[...], separator: ";")
  }

  private func value(of name: String, in list: Substring, separator: Character) -> String? {
    for item in list.split(separator: separator) {
      let parts = item.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}
