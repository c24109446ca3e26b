import Foundation
import Testing

@testable import SkyNetCommand

@Suite("What to do next")
struct NextStepTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("skynet-told-\(UUID().uuidString)").path

  @Test("A command is whole in any window, and its purpose is there if it fits")
  func texts() {
    let report = NextStep.report(journal: "my run.sqlite")
    let command = "next: \(Program.name) report 'my run.sqlite' -o 'my run.html'"
    #expect(report.text(columns: 80) == command + " makes a page of this run")
    #expect(report.text(columns: 40) == command)
    #expect(
      NextStep.journal(hasPage: false).text(columns: 80)
        == "next: --journal FILE lets a killed run go on; --web shows it in a browser")
    #expect(NextStep.journal(hasPage: true).text(columns: 40) == "next: --journal FILE")
  }

  @Test("Each tip is new once, also for a later process")
  func once() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let tips = ToldTips(["XDG_STATE_HOME": folder, "HOME": "/nowhere"])
    #expect(tips.path == "\(folder)/\(Program.name)/told")
    #expect(tips.isNew("report"))
    #expect(!tips.isNew("report"))
    #expect(ToldTips(["XDG_STATE_HOME": folder]).isNew("journal"))
    #expect(try String(contentsOfFile: tips.path ?? "", encoding: .utf8) == "report\njournal\n")
  }

  @Test("Where it cannot be written down, there is no tip")
  func nowhere() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(!ToldTips([:]).isNew("report"))
    #expect(ToldTips(["HOME": "/home/a"]).path == "/home/a/.local/state/\(Program.name)/told")
    #expect(!ToldTips(["XDG_STATE_HOME": "/dev/null"]).isNew("report"))
    // Something else has the file's name.
    let taken = "\(folder)/\(Program.name)/told"
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
    #expect(!ToldTips(["XDG_STATE_HOME": folder]).isNew("report"))
  }
}
