import ArgumentParser
import SkyNetCore

/// Where an engagement listens for nodes that dial it: the value of `--listen`, `PORT` or `HOST:PORT`. Without a
/// host it is every address, as the nodes are on other machines.
struct NodeListenOption: Hashable, Sendable {
  /// With port 0 for any free port.
  let endpoint: Endpoint

  /// - Throws: `ValidationError` if the text is no address.
  init(_ text: String) throws {
    if let port = Int(text), (0...65_535).contains(port), !text.hasPrefix("+") {
      endpoint = .everywhere(port: port)
    } else if let endpoint = Endpoint(text) {
      self.endpoint = endpoint
    } else if text.hasSuffix(":0"), let endpoint = Endpoint(text + "1") {
      self.endpoint = Endpoint(host: endpoint.host, port: 0)
    } else {
      throw ValidationError(
        "it is neither a port nor HOST:PORT, such as 7979 or 10.0.0.1:7979, with a port from 0 (any "
          + "free one) to 65535")
    }
  }
}
