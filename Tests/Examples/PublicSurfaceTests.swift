import Foundation
import Testing

/// Every public type is one that an embedder has to know of, so their number is held down.
@Suite("The public types")
struct PublicSurfaceTests {
  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../Sources").standardized

  /// The names of the public top-level types in these targets.
  private func publicTypes(in targets: (String) -> Bool) throws -> [String] {
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
      .filter { targets(String($0.prefix { $0 != "/" })) }
    return try files.flatMap { file in
      let source = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      return source.matches(
        of:
          #/(?m)^(?:@\S+ )*public (?:(?:final|indirect|distributed) )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/#
      ).map { String($0.1) }
    }
  }

  @Test(
    "All targets together have at most 123 public types, the cluster at most 59, and the command at most 17"
  )
  func count() throws {
    let all = try publicTypes { _ in true }
    let cluster = try publicTypes { ["SkyNetCore", "SkyNetCluster", "SkyNetKit"].contains($0) }
    let command = try publicTypes { $0 == "SkyNetCommand" }
    #expect(command.count <= 17, "\(command.sorted())")
    #expect(cluster.contains("Scan") && cluster.contains("Cluster"), "the sources were not read")
    #expect(all.count <= 123, "\(all.sorted())")
    #expect(cluster.count <= 59, "\(cluster.sorted())")
  }
}
