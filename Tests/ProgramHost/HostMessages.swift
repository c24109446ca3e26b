package import Foundation
package import SkyProcess

/// What a test asks of the host, one JSON value a line.
package enum HostRequest: Codable {
  case run(number: Int, Order)
  /// To run a program that often, in two rows.
  case runMany(number: Int, Order, times: Int)
  case cancel(number: Int)
  /// How many descriptors the host has.
  case count
  case end

  package struct Order: Codable {
    package var path: String
    package var arguments: [String]
    package var variables: [String: String]
    package var directory: String?
    package var input: Data?
    package var outputLimit: Int

    package init(_ order: ProgramOrder) {
      (path, arguments, variables) = (order.path, order.arguments, order.variables)
      (directory, input, outputLimit) = (order.directory, order.input, order.outputLimit)
    }

    var order: ProgramOrder {
      ProgramOrder(
        path: path, arguments: arguments, variables: variables, directory: directory, input: input,
        outputLimit: outputLimit)
    }
  }
}

/// What the host answers, one JSON value a line.
package enum HostAnswer: Codable {
  case ended(number: Int, Ending)
  case failed(number: Int, String)
  /// How many of many exited with status 0.
  case ranMany(number: Int, succeeded: Int)
  case counted(descriptors: Int)
  case over

  package struct Ending: Codable {
    package var exitStatus: CInt?
    package var signal: CInt?
    package var output: Data
    package var errors: Data
    package var isTooLong: Bool
    package var leftProcesses: Bool

    init(_ ending: ProgramEnding) {
      (output, errors) = (ending.output, ending.errors)
      (isTooLong, leftProcesses) = (ending.isTooLong, ending.left.processes)
      switch ending.status {
      case .exited(let status): exitStatus = status
      case .signaled(let number): signal = number
      }
    }
  }
}
