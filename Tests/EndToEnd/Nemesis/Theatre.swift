/// Where a nemesis plays: nodes, their wires, and the cables of their hosts if they have some.
struct Theatre {
  let stage: Stage
  let lab: Lab?
  /// By host, or by name where there are no hosts.
  let stations: [String: Station]
  let wires: [String: FaultyWire]
  /// Where engagements run; the first is where the wires begin.
  let clients: [String]
  /// Whether the kernel can delay and drop packets.
  let hasNetem: Bool

  /// A node on each but the first of a lab's hosts, and wires to them from the first.
  static func onHosts(_ hosts: [String], _ lab: Lab, _ stage: Stage) async throws -> Theatre {
    var stations: [String: Station] = [:]
    var wires: [String: FaultyWire] = [:]
    for host in hosts.dropFirst() {
      @Sendable func start() async throws -> RunningNode {
        try await RunningNode(
          lab.launch(Place.binary, ["node", "--slots", "4"], on: host, stage))
      }
      let first = try await start()
      let wire = try await FaultyWire.open(
        to: Lab.address(of: host), port: first.port, in: lab.network(of: hosts[0]))
      wires[host] = wire
      stations[host] = Station(first) {
        let node = try await start()
        wire.lead(to: node.port)
        return node
      }
    }
    let slow: Void? = try? await lab.run("slow", hosts[0], "1ms")
    if slow != nil { try await lab.run("slow", hosts[0], "0") }
    return Theatre(
      stage: stage, lab: lab, stations: stations, wires: wires, clients: hosts,
      hasNetem: slow != nil)
  }

  /// Three nodes on the loopback interface that are reached through wires alone.
  static func onLoopback(_ stage: Stage) async throws -> Theatre {
    var stations: [String: Station] = [:]
    var wires: [String: FaultyWire] = [:]
    for name in ["a", "b", "c"] {
      let station = try await Station.onLoopback(name, stage, "--slots", "4")
      wires[name] = try await FaultyWire.open(to: "127.0.0.1", port: await station.node.port)
      stations[name] = station
    }
    return Theatre(
      stage: stage, lab: nil, stations: stations, wires: wires, clients: ["here"], hasNetem: false)
  }

  /// Who can be struck, and how.
  var victims: [String: [NemesisPlan.Fault]] {
    let cable: [NemesisPlan.Fault] = lab == nil ? [] : [.cut, .flap, .slow]
    var victims: [String: [NemesisPlan.Fault]] = lab == nil ? [:] : [clients[0]: cable]
    for name in stations.keys {
      victims[name] = [.kill, .stop, .drain] + cable
      // From this process a lab's hosts cannot be reached.
      if lab == nil { victims["\(name) listening"] = [.babble, .gibber] }
      victims["wire \(name)"] = [.delay, .stall, .mute, .sever]
    }
    return victims
  }

  /// The engagement that a plan draws.
  func engage(_ work: NemesisPlan.Work, number: Int, _ more: String...) throws -> Engaging {
    let results = stage.file("results-\(number)")
    let peers = wires.values.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    let options =
      ["engage", "--name", "client-\(number)", "--results", results, "--total", "\(work.total)"]
      + ["--scan-seconds", "\(work.scanSeconds)", "--failing-every", "\(work.failingEvery)"]
      + ["--timeout", "1", "--attempts", "100"]
      + (work.localSlots == 0 ? ["--no-local"] : ["--slots", "\(work.localSlots)"])
      + (work.isThroughWires ? ["--no-discovery", "--peers", peers] : [])
      + more
    let process =
      try lab?.launch(Place.binary, options, on: work.client, stage) ?? stage.skynet(options)
    return Engaging(process: process, resultsFile: results)
  }

  func close() {
    for wire in wires.values { wire.stop() }
  }
}
