/// The distributed methods that can be called over the network, by their number on the wire.
///
/// Swift names a call's target by its mangled name, which a change in the code can change too. The
/// numbers here never change their meaning; one that is not in the table is refused, and nothing
/// is ever looked up by a name that a peer sent.
enum CallTargets {
  /// `ScanSystem.run(_:)`
  static let run: UInt8 = 1
  /// `ScanSystem.count`
  static let count: UInt8 = 2
  /// `ScanSystem.status()`
  static let status: UInt8 = 3

  static let identifiers: [UInt8: String] = [
    run: "$s13SkyNetCluster10ScanSystemC3runyAA0D6ResultVAA0D4TaskVYaKFTE",
    count: "$s13SkyNetCluster10ScanSystemC5countSiyYaKFTE",
    status: "$s13SkyNetCluster10ScanSystemC6statusAA0E6StatusVyYaKFTE",
  ]

  private static let numbers = Dictionary(
    uniqueKeysWithValues: identifiers.map { ($0.value, $0.key) })

  static func number(of identifier: String) -> UInt8? { numbers[identifier] }
}
