// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// The distributed methods that can be called over the network, by their numbers on the wire.
///
/// Swift knows a method by its mangled name, which changes with the code. The numbers here never change
/// their meaning. A call with a number that is not in the table is refused, so a peer cannot have a name of
/// its choice looked up.
enum CallTargets {
  /// `ScanSystem.run(_:)`
  static let run: UInt8 = 1
  /// `ScanSystem.count`
  static let count: UInt8 = 2
  /// `ScanSystem.status()`
  static let status: UInt8 = 3
  /// `ScanSystem.drain()`
  static let drain: UInt8 = 4
  /// `ScanSystem.undrain()`
  static let undrain: UInt8 = 5
  /// `ScanSystem.relay(to:)`
  static let relay: UInt8 = 6
  /// `ScanSystem.meet(_:)`
  static let meet: UInt8 = 7

  static let identifiers: [UInt8: String] = [
    run: "$s13SkyNetCluster10ScanSystemC3runyAA0D6ResultVAA0D4TaskVYaKFTE",
    count: "$s13SkyNetCluster10ScanSystemC5countSiyYaKFTE",
    status: "$s13SkyNetCluster10ScanSystemC6statusAA0E6StatusVyYaKFTE",
    drain: "$s13SkyNetCluster10ScanSystemC5drainAA0E6StatusVyYaKFTE",
    undrain: "$s13SkyNetCluster10ScanSystemC7undrainAA0E6StatusVyYaKFTE",
    relay: "$s13SkyNetCluster10ScanSystemC5relay2to0aB4Core11RelayTicketVAF11IncarnationV_tYaKFTE",
    meet: "$s13SkyNetCluster10ScanSystemC4meetyy0aB4Core11RelayTicketVYaKFTE",
  ]

  private static let runIdentifier = identifiers[run]

  private static let numbers = Dictionary(
    uniqueKeysWithValues: identifiers.map { ($0.value, $0.key) })

  static func number(of identifier: String) -> UInt8? {
    // Nearly all calls are this one, whose name need not be hashed.
    identifier == runIdentifier ? run : numbers[identifier]
  }
}
