import ArgumentParser
import SkyNetCore

/// Where a server listens: the value of `--web` and of `--metrics`, which may be left out.
///
///     @Option(defaultAsFlag: ListenOption.loopback, parsing: .next, help: …)
///     var web: ListenOption?
///
/// takes `--web`, `--web PORT`, `--web HOST:PORT`, and the same with `=`. The parser takes an error in a value
/// for a missing value, so any text is taken here, and ``endpoint(flag:)``, for `validate()`, finds the fault.
/// (With its default, `.scanningForValue`, the parser drops the value of `--web=8080 --json`.)
struct ListenOption: Hashable, Sendable {
  /// The option without a value: the loopback address, and any free port.
  static let loopback = ListenOption(text: nil)
  static let loopbackHost = "127.0.0.1"

  /// What was given; `nil` if the option had no value.
  let text: String?

  /// The address, with port 0 for any free port.
  ///
  /// - Throws: `ValidationError`, which names the option, if the text is no address.
  func endpoint(flag: String) throws -> Endpoint {
    guard let text else { return Endpoint(host: Self.loopbackHost, port: 0) }
    if let port = Int(text), (0...65_535).contains(port), !text.hasPrefix("+") {
      return Endpoint(host: Self.loopbackHost, port: port)
    }
    if let endpoint = Endpoint(text) { return endpoint }
    if text.hasSuffix(":0"), let endpoint = Endpoint(text + "1") {
      return Endpoint(host: endpoint.host, port: 0)
    }
    throw ValidationError(
      "--\(flag) is \"\(text.showingControls)\", which is neither a port nor HOST:PORT, such as "
        + "127.0.0.1:8080 or [::1]:8080, with a port from 0 (any free one) to 65535")
  }
}

extension ListenOption: ExpressibleByArgument {
  init(argument: String) { self.init(text: argument) }

  /// What the help shows as the default.
  var description: String { text ?? "\(Self.loopbackHost), any free port" }
}

extension ListenOption: CustomStringConvertible {}
