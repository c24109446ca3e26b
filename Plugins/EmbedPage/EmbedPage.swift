import Foundation
import PackagePlugin

/// Writes the files of a target's folder `Page` into its module, as `PageFile.all`. SwiftPM's own `embedInCode` makes
/// arrays of bytes, for which the compiler takes a hundred times as long as for text.
@main
struct EmbedPage: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Page")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles
    ).sorted { $0.lastPathComponent < $1.lastPathComponent }
    let script = context.package.directoryURL.appending(path: "Plugins/EmbedPage/embed")
    let output = context.pluginWorkDirectoryURL.appending(path: "PageFile+All.swift")
    return [
      .buildCommand(
        displayName: "Embedding the page",
        // A tool in Swift would be built first, which takes longer than all the rest.
        executable: URL(filePath: "/bin/sh"),
        arguments: ([script, output] + files).map { $0.path(percentEncoded: false) },
        inputFiles: [script] + files,
        outputFiles: [output])
    ]
  }
}
