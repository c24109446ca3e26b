package import ArgumentParser
package import SkyNetKeys

/// The file with the cluster key.
package struct KeyFileOption: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The file with the cluster key. (default: SKYNET_KEY_FILE, this machine's "
        + "/etc/skynet/cluster.key if this account may read it, or its own; SKYNET_KEY can hold the key itself)",
      valueName: "file"), completion: .file())
  package var keyFile: String?

  /// - Throws: ``KeyError``.
  package func source() throws -> KeySource { try KeySource.find(file: keyFile) }
}
