import Foundation
import SkyNetKit
import SkyPrograms

// Before the first await: the process that starts programs is forked off while there is one thread.
Program.startLauncher()

let square = Program(["sh", "-c", "echo $(({} * {}))"])
let inputs = (0..<10).map { ProgramInput(number: $0) }
try await withCluster(scans: [square]) { cluster in
  for try await sector in cluster.results(of: square, for: inputs, settings: square.settings) {
    print(String(decoding: try sector.output.get().output.bytes, as: UTF8.self), terminator: "")
  }
}
