package import SkyNetCore

/// Why a sector cannot be run again.
package enum ReplayError: Error, CustomStringConvertible {
  case noSector(String)
  case saved(String, options: [String])
  case noSettings(String)
  case otherWorkload(String, options: [String])
  case unknownKind(String, ScanKind)
  case notReplayable(String, String)
  case otherJob(String, [String])
  case noSuchSector(String, Int, of: Int)
  case noPartOfSector(String, Int, part: String)
  case noSuchTask(String, TaskID, missing: Int)
  case impossibleSettings(String, String)
  case impossibleOutput(String, Int, String)
  case notSaved(String, String)

  package var description: String {
    switch self {
    case .noSector(let file):
      "\(file): which sector? Give --sector N; `\(Program.name) runs \(file)` tells how many there are, and "
        + "which failed"
    case .saved(let file, let options):
      "\(file) holds one sector, with all that its scan needs: leave \(options.joinedByAnd) out"
    case .noSettings(let file):
      "\(file): it does not hold the settings of its run, as another program made it: start the run's "
        + "command once more, which records them, and then try again"
    case .otherWorkload(let file, let options):
      "\(file): the run has nothing that \(options.joinedByAnd) could name: leave "
        + "\(options.count > 1 ? "them" : "it") out"
    case .unknownKind(let file, let kind):
      "\(file): it is of scans of kind \(kind), which this program does not know: replay it with the "
        + "version that made it"
    case .notReplayable(let file, let workload):
      "\(file): runs of the workload \(workload) cannot be run again: this program makes no job of their records"
    case .otherJob(let file, let differences):
      "\(file): what this program makes of its record is another job (\(differences.joined(separator: ", "))): "
        + "replay it with the version that made it"
    case .noSuchSector(let file, let sector, let count):
      "\(file): there is no sector \(sector); the run has sectors 0 to \(count - 1)"
    case .noPartOfSector(let file, let sector, let part):
      "\(file): sector \(sector) belongs to no \(part) of the run; the sectors of a changed \(part) get "
        + "other numbers when it is scanned anew: `\(Program.name) runs \(file)` lists those that failed"
    case .noSuchTask(let file, let task, let missing) where missing > 0:
      "\(file): pass \(task.pass) of sector \(task.sector) needs the outputs of earlier passes, and "
        + "\(missing) of them are not there: finish the run first, or give another --pass"
    case .noSuchTask(let file, let task, _):
      "\(file): sector \(task.sector) has no pass \(task.pass): give another --pass"
    case .impossibleSettings(let file, let reason):
      "\(file): the settings that it holds cannot be used (\(reason))"
    case .impossibleOutput(let file, let sector, let reason):
      "\(file): the output of sector \(sector) cannot be (\(reason))"
    case .notSaved(let file, let fault):
      "\(file): it cannot be replayed (\(fault)): make it again with `\(Program.name) replay JOURNAL --sector N "
        + "--save FILE`"
    }
  }
}
