import ArgumentParser
import SkyNetCore
import SkyNetMetrics

/// Whether and where a Prometheus may ask for this process's metrics.
struct MetricsOptions: ParsableArguments {
  @Option(
    defaultAsFlag: ListenOption.loopback, parsing: .next,
    help: ArgumentHelp(
      """
      Serve metrics for Prometheus at http://HOST:PORT/metrics, and whether this process takes work at \
      /health. An address other than this machine's own needs --metrics-token.
      """, valueName: "host:port"))
  var metrics: ListenOption?

  @Option(
    help: ArgumentHelp(
      "The file with the bearer token that a Prometheus has to show; the same file can be its "
        + "credentials_file.", valueName: "file"), completion: .file())
  var metricsToken: String?

  func validate() throws {
    guard let endpoint = try metrics?.endpoint(flag: "metrics") else {
      guard metricsToken == nil else {
        throw ValidationError("--metrics-token is for --metrics: give both, or neither")
      }
      return
    }
    if metricsToken == "" {
      throw ValidationError("--metrics-token is empty, but a file's name is needed")
    }
    if metricsToken == nil, !MetricsPage.namesLoopback(endpoint.host) {
      throw ValidationError(
        "--metrics \(endpoint) can be reached from other machines, so it needs a token: make a file "
          + "with `openssl rand -hex 32 > metrics-token; chmod 600 metrics-token`, and give "
          + "--metrics-token metrics-token")
    }
  }

  /// The files that are read, with the options that name them.
  var files: [FileOption] { [("metrics-token", metricsToken)] }

  /// The server to start; `nil` if none was asked for. From now on the process counts.
  ///
  /// - Throws: ``TokenError``.
  func server() throws -> MetricsServer? {
    guard let endpoint = try metrics?.endpoint(flag: "metrics") else { return nil }
    return MetricsServer(
      endpoint, access: try metricsToken.map { .token(try BearerToken(file: $0)) } ?? .loopback)
  }
}
