import ProgramsWorkload
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

  /// A program is asked for first, as `--` chooses it beside an option of the simulation; with nothing that chooses, the
  /// sky is simulated.
  static var workloads: [any Workload.Type] {
    #if Images
      [Programs.self, Images.self, Simulated.self]
    #else
      [Programs.self, MissingImages.self, Simulated.self]
    #endif
  }
}
