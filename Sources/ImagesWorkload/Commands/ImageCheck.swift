import ArgumentParser
import Foundation
import SkyDetection
import SkyFITS
import SkyNetCommand

/// Reads files as a run of many images does: all are open at a time, and read at once.
struct ImageCheck {
  let files: [String]
  let rounds: Int

  /// Prints what came of each image, and the number of open files and the largest memory of a reader
  /// at the end, with which a leak can be found.
  func run() async throws {
    var isSound = true
    for round in 1...max(1, rounds) {
      let lines = await withTaskGroup(of: (Int, [String], Bool).self) { group in
        for (index, file) in files.enumerated() {
          group.addTask {
            let (lines, isSound) = await Self.outcomes(of: file)
            return (index, lines, isSound)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
      }
      if lines.contains(where: { !$0.2 }) { isSound = false }
      // Each round has the same to tell.
      guard round == max(1, rounds) else { continue }
      do {
        for line in lines.flatMap(\.1) { try StandardOutput.write(line: line.shown) }
        try StandardOutput.write(line: Self.resources)
      } catch {
        throw fail(error)
      }
    }
    if !isSound { throw ExitCode(1) }
  }

  private static func outcomes(of file: String) async -> ([String], isSound: Bool) {
    do {
      let reader = try ImageReader.process()
      var lines: [String] = []
      for unit in try await FITSImage.images(in: file, reader: reader) {
        let image = try await FITSImage.open(file, extension: "\(unit.number)", reader: reader)
        let rows = min(16, image.height)
        var sum = 0.0
        for start in [0, image.height - rows] {
          let part = PixelRectangle(x: 0, y: start, width: image.width, height: rows)
          sum = try await image.values(in: part).reduce(sum) { $1.isFinite ? $0 + Double($1) : $0 }
        }
        lines.append(
          "\(file)[\(unit.number)]: \(image.width) × \(image.height) pixels, the outermost rows "
            + "add up to \(sum)" + (image.isUnfilled ? "; its last block is not filled up" : ""))
      }
      return (lines, true)
    } catch {
      return (["\(error)"], false)
    }
  }

  private static var resources: String {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    return "open files: \(open), memory of readers: \(readersMemory >> 20) MiB"
  }

  /// The data of all readers, in bytes, as their limit counts it.
  private static var readersMemory: Int {
    let children = "/proc/self/task/\(getpid())/children"
    let pids = (try? String(contentsOfFile: children, encoding: .utf8))?.split(separator: " ") ?? []
    return pids.reduce(0) { sum, pid in
      let figures = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
      let words = figures.split(separator: " ")
      return sum + (words.count > 5 ? Int(words[5]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
  }
}
