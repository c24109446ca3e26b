import Foundation
import SkyProcess
import Testing

@Suite("Many programs", .timeLimit(.minutes(20)))
struct ManyTests {
  @Test("Ten thousand leave no process, no descriptor, no file and no memory")
  func many() async throws {
    try await Stage.with { stage in
      let order = ProgramOrder(path: "/bin/true", arguments: ["true"], outputLimit: 100)
      #expect(try await stage.host.runMany(order, times: 500) == 500)
      let descriptors = try await stage.host.descriptors()
      let processes = descendants(of: stage.host.id)
      #expect(processes.count == 4)
      let counts = try processes.map(openFiles)
      let pages = processes.map(residentPages)
      #expect(try await stage.host.runMany(order, times: 9500) == 9500)
      #expect(try await stage.host.descriptors() == descriptors)
      #expect(descendants(of: stage.host.id) == processes)
      // A keeper may still be closing the last program's pipes.
      for (before, after) in zip(counts, try processes.map(openFiles)) {
        #expect(after < before + 16)
      }
      for (before, after) in zip(pages, processes.map(residentPages)) {
        #expect(after < before + 256, "a megabyte more")
      }
      try await stage.host.endRunner()
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.temporary) == [])
    }
  }

  private func residentPages(_ process: pid_t) -> Int {
    let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
    let words = (text ?? "").split(separator: " ")
    return words.count > 1 ? Int(words[1]) ?? 0 : 0
  }
}
