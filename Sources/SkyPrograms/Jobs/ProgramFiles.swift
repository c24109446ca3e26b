import Foundation
import SkyFiles
import SkyNetCore
import Synchronization

/// The files that outputs become: each whole or not at all.
package final class ProgramFiles: Sendable {
  /// What is said of a file in place of its output.
  package struct Written: Encodable, Hashable, Sendable, SizedResult {
    package let file: String
    package let bytes: Int

    package var outputBytes: Int { bytes }
  }

  private let path: @Sendable (TemplateInput) throws -> String
  /// The folders that are there, and whether a file could be made in them, so that not each output makes and removes one
  /// more.
  private let folders = Mutex<[ExactText: Bool]>([:])
  private let count = Mutex(0)
  /// What killed processes left of outputs: a folder is listed once.
  private let partial = Mutex(PartialFiles())

  /// - Parameter path: the file of an input. It throws `UnmendableFailure` if the input may have none.
  package init(_ path: @escaping @Sendable (TemplateInput) throws -> String) { self.path = path }

  /// How many files have the outputs of this run.
  package var written: Int { count.withLock { $0 } }

  /// The file of an input's output.
  ///
  /// - Throws: `UnmendableFailure` if the input may have none.
  func path(of input: TemplateInput) throws -> String { try path(input) }

  /// Writes an output, and makes its folder.
  ///
  /// - Throws: `OutputFileError`, ``OutputFolderError``; `UnmendableFailure` if the input may have no such file.
  func write(_ output: Data, of input: TemplateInput) throws -> Written {
    let file = try path(input)
    _ = try makeFolder(of: file)
    try OutputFile(unchecked: file).write(output, syncs: false)
    return has(file, output.count)
  }

  /// Looks whether a file has an output that an earlier process wrote.
  ///
  /// - Returns: `nil` if it has not.
  func find(_ output: KeptOutput, in file: String) -> Written? {
    output.isIn(file) ? has(file, output.bytes) : nil
  }

  private func has(_ file: String, _ bytes: Int) -> Written {
    count.withLock { $0 += 1 }
    return Written(file: file, bytes: bytes)
  }

  /// Makes sure, before a program runs, that its output can be written.
  ///
  /// - Throws: `UnmendableFailure` if the input can have no file. That nothing can be written at all ends the run, when
  ///   an output is there.
  func prepare(_ input: TemplateInput) throws {
    do {
      try check(input)
    } catch let error as OutputFileError {
      if !error.isOfDisk { throw UnmendableFailure("\(error)") }
    } catch let error as OutputFolderError {
      if !error.isOfDisk { throw UnmendableFailure("\(error)") }
    }
  }

  /// Checks that an input's file can be written, and makes its folder.
  ///
  /// - Throws: `OutputFileError`, ``OutputFolderError``; `UnmendableFailure` if the input may have no such file.
  package func check(_ input: TemplateInput) throws {
    let file = try path(input)
    let folder = try makeFolder(of: file)
    let isTried = folders.withLock { $0[folder] == true }
    _ = try OutputFile(path: file, isFolderTried: isTried) { left in
      partial.withLock { $0.removeLeft(of: left) }
    }
    if !isTried { folders.withLock { $0[folder] = true } }
  }

  private func makeFolder(of file: String) throws -> ExactText {
    let folder = ExactText(SplitPath.split(file).folder ?? ".")
    guard folders.withLock({ $0[folder] == nil }) else { return folder }
    try OutputFolderError.make(folder.text)
    folders.withLock { $0[folder] = false }
    return folder
  }

  /// Brings all files to disk, which each would take long to wait for.
  package func sync() { if written > 0 { OutputFile.syncAll() } }
}
