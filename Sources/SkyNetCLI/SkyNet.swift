import SimulatedWorkload
import SkyNetCommand

#if Images
  import ImagesWorkload
#endif

/// `skynet`: all of SkyNet's own workloads.
@main
enum SkyNet: SkyNetProgram {
  static let name = "skynet"
  static let abstract = "A zero-configuration cluster that scans a sky on every machine around."

  /// An image is asked for first; with no option that chooses, the sky is simulated.
  static var workloads: [any Workload.Type] {
    #if Images
      [Images.self, Simulated.self]
    #else
      [MissingImages.self, Simulated.self]
    #endif
  }
}
