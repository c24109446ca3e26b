import SkyNetCluster
import SkyNetCore
import SkyNetTestKit

import struct Foundation.Data

/// A scan whose settings, sectors and outputs may be of any size, and of any numbers.
struct NumbersScan: Scan {
  static let kind = ScanKind(name: "numbers", version: 1)

  /// Counts how often settings were read, by their name.
  static let read = Watched<[String: Int]>([:])

  struct Settings: Codable, Sendable {
    var name = ""
    var numbers: [Double] = []
    var bulk = BulkBytes(Data())

    private enum CodingKeys: CodingKey { case name, numbers, bulk }

    init(name: String = "", numbers: [Double] = [], bulk: Data = Data()) {
      (self.name, self.numbers, self.bulk) = (name, numbers, BulkBytes(bulk))
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let name = try container.decode(String.self, forKey: .name)
      NumbersScan.read.update { $0[name, default: 0] += 1 }
      self.init(
        name: name, numbers: try container.decode([Double].self, forKey: .numbers),
        bulk: try container.decode(BulkBytes.self, forKey: .bulk).bytes)
    }
  }

  struct Sector: Codable, Sendable {
    var numbers: [Double] = []
    /// How often the output has them.
    var times = 1
  }

  func run(_ sector: Sector, settings: Settings) async throws -> [Double] {
    (0..<sector.times).flatMap { _ in sector.numbers }
      + [settings.numbers.reduce(0, +) + Double(settings.bulk.bytes.count)]
  }
}

/// A job of numbers, which keeps each output.
struct NumbersJob: Job {
  typealias Work = NumbersScan

  var settings = NumbersScan.Settings()
  let sectors: [NumbersScan.Sector]
  private(set) var outputs: [Int: [Double]] = [:]

  init(settings: NumbersScan.Settings = .init(), _ sectors: [NumbersScan.Sector]) {
    (self.settings, self.sectors) = (settings, sectors)
  }

  var sectorCount: Int { sectors.count }

  func sector(for task: TaskID) -> NumbersScan.Sector { sectors[task.sector] }

  mutating func receive(_ output: [Double], for task: TaskID) -> ReceivedResult {
    outputs[task.sector] = output
    return ReceivedResult(result: task.sector)
  }
}
