import ArgumentParser

/// `skynet completions SHELL`: what the shell reads to complete the program's command lines.
struct CompletionsCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "completions", abstract: "Print the completions of this program for a shell.",
      discussion: """
        Examples:

          \(Program.name) completions bash \
        >~/.local/share/bash-completion/completions/\(Program.name)
          \(Program.name) completions zsh \
        >/usr/local/share/zsh/site-functions/_\(Program.name)
          \(Program.name) completions fish \
        >~/.config/fish/completions/\(Program.name).fish
        """)
  }

  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    fileprivate var completed: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    do {
      try StandardOutput.write(
        line: Program.root(for: [Self.name]).completionScript(for: shell.completed))
    } catch {
      throw fail(error)
    }
  }
}
