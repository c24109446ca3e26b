// What this file codes is frozen by the version of the wire protocol: see docs/protocol.md.

/// The methods of ``ScanSystem`` that can be called over the network, by their numbers on the wire.
///
/// Swift knows a method by its mangled name, which changes with the code. The numbers here never change
/// their meaning. A call with a number that is not in the table is refused, so a peer cannot have a name of
/// its choice looked up.
enum CallTargets {
  static let run: UInt8 = 1
  static let count: UInt8 = 2
  static let status: UInt8 = 3
  static let drain: UInt8 = 4
  static let undrain: UInt8 = 5
  static let relay: UInt8 = 6
  static let meet: UInt8 = 7
  /// No method of the actor: the connection's two ends keep settings among themselves.
  static let keep: UInt8 = 8

  /// The methods' mangled names. Nearly all calls are the first one.
  private static let identifiers = [
    (run, "$s13SkyNetCluster10ScanSystemC3runyAA0D6ResultVAA0D4TaskVYaKFTE"),
    (count, "$s13SkyNetCluster10ScanSystemC5countSiyYaKFTE"),
    (status, "$s13SkyNetCluster10ScanSystemC6statusAA0E6StatusVyYaKFTE"),
    (drain, "$s13SkyNetCluster10ScanSystemC5drainAA0E6StatusVyYaKFTE"),
    (undrain, "$s13SkyNetCluster10ScanSystemC7undrainAA0E6StatusVyYaKFTE"),
    (
      relay, "$s13SkyNetCluster10ScanSystemC5relay2to0aB4Core11RelayTicketVAF11IncarnationV_tYaKFTE"
    ),
    (meet, "$s13SkyNetCluster10ScanSystemC4meetyy0aB4Core11RelayTicketVYaKFTE"),
  ]

  static func number(of identifier: String) -> UInt8? {
    identifiers.first { $0.1 == identifier }?.0
  }
}
