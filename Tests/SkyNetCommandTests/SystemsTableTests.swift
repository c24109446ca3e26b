import Foundation
import SkyNetCore
import Testing

@testable import SkyNetCluster
@testable import SkyNetCommand

@Suite("The table of systems")
struct SystemsTableTests {
  private let busy = RemoteSystem(
    Hello(
      software: "0.1.0", name: "b", incarnation: Incarnation(), slots: 16, timeout: .seconds(5),
      scans: [ScanKind(name: "simulated", version: 1)]), name: "b", address: "127.0.0.1:7000")
  private let old = RemoteSystem(
    Hello(
      software: "0.0.9", name: "old\n", incarnation: Incarnation(), slots: 4, timeout: .seconds(5),
      scans: []), name: "old\n", address: "127.0.0.1:41000")

  private func status(clients: Int) throws -> SystemStatus {
    let running = (1...clients).map { #""c\#($0)":2"# }.joined(separator: ",")
    let text =
      #"{"slots":16,"running":{\#(running)},"waiting":{"c1":7},"done":{"c1":40,"c0":2},"#
      + #""failed":3,"load":3.976,"scans":[],"engagements":[],"isDraining":false}"#
    return try JSONDecoder().decode(SystemStatus.self, from: Data(text.utf8))
  }

  @Test("A table shows each system's status, with dashes for a system that did not answer")
  func table() throws {
    let table = SystemsTable(
      systems: [busy, old], statuses: [busy.incarnation: try status(clients: 2)])
    #expect(
      table.text == """
        NAME   ADDRESS          SLOTS  VERSION  RUNNING  WAITING  DONE  RETRIED  LOAD  CLIENTS
        b      127.0.0.1:7000   16     0.1.0    4        7        42    3        3.98  c1, c2
        old\\n  127.0.0.1:41000  4      0.0.9    -        -        -     -        -     -

        """)
  }

  @Test("A table has the states of systems if one takes nothing new")
  func states() throws {
    func status(_ members: String) throws -> SystemStatus {
      let text =
        #"{"slots":4,"running":{},"waiting":{},"done":{},"failed":0,"scans":[],"engagements":[],"#
        + members + "}"
      return try JSONDecoder().decode(SystemStatus.self, from: Data(text.utf8))
    }
    let drained = SystemsTable(
      systems: [busy, old],
      statuses: [
        busy.incarnation: try status(#""isDraining":true,"drainedBy":"ada@lab""#),
        old.incarnation: try status(#""isDraining":true"#),
      ])
    let lines = drained.text.split(separator: "\n")
    #expect(lines[0].hasSuffix("  STATE"))
    #expect(lines[1].hasSuffix("  drained by ada@lab") && lines[2].hasSuffix("  draining"))
    let json = try drained.lines().split(separator: "\n")
    #expect(json[0].contains(#""draining":true"#) && json[0].contains(#""drainedBy":"ada@lab""#))
    #expect(!json[1].contains("drainedBy"))
    #expect(throws: DecodingError.self) { try status(#""isDraining":true,"drainedBy":"a\u000ab""#) }
  }

  @Test("A table names three clients of a system, and counts the others")
  func manyClients() throws {
    let table = SystemsTable(systems: [busy], statuses: [busy.incarnation: try status(clients: 5)])
    #expect(table.text.contains("  c1, c2, c3, and 2 more\n"))
  }

  @Test("Below the systems are the engagements that they hear of, each once")
  func engagements() throws {
    let run = RunID()
    func status(completed: Int) throws -> SystemStatus {
      let text =
        #"{"slots":4,"running":{},"waiting":{},"done":{},"failed":0,"scans":[],"#
        + #""isDraining":false,"engagements":[{"run":"\#(run)","#
        + #""name":"sky.fits","client":"ada","sectors":200,"completed":\#(completed),"failed":1,"#
        + #""rate":3.2,"secondsLeft":25}]}"#
      return try JSONDecoder().decode(SystemStatus.self, from: Data(text.utf8))
    }
    let table = SystemsTable(
      systems: [busy, old],
      statuses: [
        busy.incarnation: try status(completed: 99), old.incarnation: try status(completed: 119),
      ])
    let lines = table.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      Array(lines.suffix(4)) == [
        "", "ENGAGEMENTS  BY   PROGRESS     DONE  FAILED  RATE  TIME LEFT  PASS  RUN",
        "sky.fits     ada  60%       119/200       1   3.2       25 s        \(run.short)", "",
      ])
    let json = try table.lines()
    #expect(json.contains(#""engagements":[{"client":"ada","completed":99,"#))
  }

  @Test("A line of JSON has the members of a status only if the system answered")
  func json() throws {
    let lines = try SystemsTable(
      systems: [busy, old], statuses: [busy.incarnation: try status(clients: 1)]
    ).lines().split(separator: "\n")
    #expect(
      lines.first == """
        {"address":"127.0.0.1:7000","done":{"c0":2,"c1":40},"engagements":[],\
        "incarnation":"\(busy.incarnation)","load":3.976,"name":"b","retried":3,"running":{"c1":2},\
        "scanning":[],"scans":["simulated/1"],"slots":16,"version":"0.1.0","waiting":{"c1":7}}
        """)
    #expect(
      lines.last == """
        {"address":"127.0.0.1:41000","incarnation":"\(old.incarnation)","name":"old\\n",\
        "scans":[],"slots":4,"version":"0.0.9"}
        """)
  }
}
