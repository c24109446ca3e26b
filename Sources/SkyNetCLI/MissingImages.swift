#if !Images
  import ArgumentParser
  import Foundation
  import SkyNetCommand
  import SkyNetCore

  /// Says what is missing where the trait `Images` was left out of the build.
  struct MissingImages: Workload {
    static let name = "images"
    static let choosers = ["--image", "--images", "--follow"]
    static let invitation = "--image FILE"
    static let purpose = "the scan of an image, which this build leaves out"
    static var scans: [any Scan] { [] }

    @Option(help: "Left out of this build.") var image: String?
    @Option(help: .hidden) var images: String?
    @Option(help: .hidden) var follow: String?

    private struct Fault: Error, CustomStringConvertible {
      let option: String

      var description: String {
        """
        \(option): this program was built without images: build it with the trait Images, which is on unless \
        --disable-default-traits is given, and needs CFITSIO, WCSLIB, libpng and zlib
        """
      }
    }

    /// Before the parser, which would know none of the options beside these.
    static func begin(_ arguments: [String]) {
      let chosen = GivenOption.all(in: arguments).map(\.name).first(where: choosers.contains)
      guard arguments.first == "engage", let chosen else { return }
      Foundation.exit(failHere(Fault(option: chosen)).rawValue)
    }

    func prepare(_ options: RunOptions) throws -> any WorkloadRun {
      throw Fault(option: Self.choosers[0])
    }
  }
#endif
