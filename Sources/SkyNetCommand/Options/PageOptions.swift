import ArgumentParser
import SkyNetCore
import SkyNetHTTP
import SkyNetKit
import SkyNetWeb

/// The page that shows what happens in a browser.
struct PageOptions: ParsableArguments {
  @Option(
    defaultAsFlag: ListenOption.loopback, parsing: .next,
    help: ArgumentHelp(
      """
      Show what happens in a browser: serve a page, at this address or at this port of loopback, and \
      print where it is.
      """, valueName: "host:port"))
  var web: ListenOption?

  @Option(
    help: ArgumentHelp(
      """
      Serve the page under this name too, such as that of a proxy in front of it. May be given several times. \
      (default: addresses, localhost and this machine's own names)
      """, valueName: "name"))
  var webHost: [String] = []

  @Flag(help: "Open the page in a browser here, if there is one.")
  var open = false

  /// Where the page is served; `nil` if it is not.
  var endpoint: Endpoint? {
    get throws { try web?.endpoint(flag: "web") }
  }

  func validate() throws {
    if try endpoint == nil, !webHost.isEmpty {
      throw ValidationError("--web-host is about the page: give --web too")
    }
    if try endpoint == nil, open {
      throw ValidationError("--open is about the page: give --web too")
    }
    for name in webHost where name.wholeMatch(of: /[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*/) == nil {
      throw ValidationError(
        "--web-host \(name.showingControls) is no host's name: give it as browsers send it, without http://, port "
          + "and path, and with letters of ASCII alone (xn--…)")
    }
  }

  /// Runs `body`, and meanwhile serves the page if there is to be one, which `body` is given. What else is printed
  /// comes after the page's address.
  ///
  /// - Parameters:
  ///   - name: the name of this process's system.
  ///   - journal: the run's journal, as the user names it.
  /// - Throws: `ExitCode` if it cannot listen, before `body` is called; what `body` throws.
  func serve<Result: Sendable>(
    _ feed: some PageFeed, name: String, journal: String? = nil, _ console: Console,
    _ body: (_ page: ServedPage?) async throws -> Result
  ) async throws -> Result {
    guard let endpoint = try endpoint else { return try await body(nil) }
    let server = PageServer(
      feed, at: endpoint, name: name, machine: Machine.name, names: Machine.names + webHost,
      journal: journal)
    do {
      return try await server.serve { page in
        console.line("page: \(page.address)")
        if !endpoint.isLoopback { console.line(Self.warning) }
        let link = open ? openBrowser(at: page.address, console) : nil
        defer { link?.remove() }
        console.flush()
        return try await body(page)
      }
    } catch let error as WebServerError {
      throw fail(PageError(fault: error))
    }
  }

  private func openBrowser(at address: String, _ console: Console) -> PageLink? {
    do throws(Browser.Fault) {
      return try Browser.open(address)
    } catch {
      console.line("--open: \(error.reason); open the page's address in a browser")
      return nil
    }
  }

  private static let warning =
    "the page is not encrypted: a machine that can read the network's traffic can read it and its token"

  /// The page cannot be served.
  private struct PageError: Error, CustomStringConvertible {
    let fault: WebServerError

    var description: String { "--web: \(fault)" }
  }
}

/// How long the page of an engagement stays.
struct KeptPageOption: ParsableArguments {
  @Flag(help: "Leave the page up when the run has ended, until Ctrl-C.")
  var webKeep = false
}

extension Endpoint {
  /// Whether only this machine can connect to it.
  fileprivate var isLoopback: Bool {
    host.hasPrefix("127.") || host == "::1" || host.lowercased() == "localhost"
  }
}
