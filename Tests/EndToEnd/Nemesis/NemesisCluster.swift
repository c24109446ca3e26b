/// The cluster that a nemesis acts on: nodes, the wires to them, and the cables of their hosts, if
/// they run in a lab.
struct NemesisCluster {
  let stage: Stage
  let sky: NemesisSky
  let lab: Lab?
  /// The nodes by their host, or by their name if there is no lab.
  let nodes: [String: RestartableNode]
  let wires: [String: FaultyWire]
  /// The hosts where engagements run; the wires begin at the first.
  let clients: [String]
  /// Whether the kernel can delay and drop packets.
  let hasNetem: Bool

  /// Starts a node on each of a lab's hosts except the first, and opens wires to them from the
  /// first.
  static func onHosts(_ hosts: [String], _ lab: Lab, _ stage: Stage) async throws -> NemesisCluster
  {
    var nodes: [String: RestartableNode] = [:]
    var wires: [String: FaultyWire] = [:]
    for host in hosts.dropFirst() {
      @Sendable func start() async throws -> RunningNode {
        try await RunningNode(
          lab.launch(Paths.binary, ["node", "--slots", "4"], on: host, stage))
      }
      let first = try await start()
      let wire = try await FaultyWire.open(
        to: Lab.address(of: host), port: first.port, in: lab.network(of: hosts[0]))
      wires[host] = wire
      nodes[host] = RestartableNode(first) {
        let node = try await start()
        wire.lead(to: node.port)
        return node
      }
    }
    let slow: Void? = try? await lab.run("slow", hosts[0], "1ms")
    if slow != nil { try await lab.run("slow", hosts[0], "0") }
    return NemesisCluster(
      stage: stage, sky: try await NemesisSky(on: stage), lab: lab, nodes: nodes, wires: wires,
      clients: hosts,
      hasNetem: slow != nil)
  }

  /// Starts three nodes on the loopback interface, which are reached only through wires.
  static func onLoopback(_ stage: Stage) async throws -> NemesisCluster {
    var nodes: [String: RestartableNode] = [:]
    var wires: [String: FaultyWire] = [:]
    for name in ["a", "b", "c"] {
      let node = try await RestartableNode.onLoopback(name, stage, "--slots", "4")
      wires[name] = try await FaultyWire.open(to: "127.0.0.1", port: await node.current.port)
      nodes[name] = node
    }
    return NemesisCluster(
      stage: stage, sky: try await NemesisSky(on: stage), lab: nil, nodes: nodes, wires: wires,
      clients: ["here"], hasNetem: false)
  }

  /// The possible faults of each victim.
  var victims: [String: [NemesisPlan.Fault]] {
    let cable: [NemesisPlan.Fault] = lab == nil ? [] : [.cut, .flap, .slow]
    var victims: [String: [NemesisPlan.Fault]] = lab == nil ? [:] : [clients[0]: cable]
    victims["image"] = [.rewrite]
    for name in nodes.keys {
      victims[name] = [.kill, .stop, .drain] + cable
      // This process cannot reach a lab's hosts.
      if lab == nil { victims["\(name) listening"] = [.babble, .gibber] }
      victims["wire \(name)"] = [.delay, .stall, .mute, .sever]
    }
    return victims
  }

  /// Starts an engagement of the plan.
  func engage(_ work: NemesisPlan.Work, number: Int, _ more: String...) throws -> RunningEngagement
  {
    let results = stage.file("results-\(number)")
    let peers = wires.values.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    let scan =
      work.scansImage
      ? sky.options(number)
      : [
        "--total", "\(work.total)", "--scan-seconds", "\(work.scanSeconds)", "--failing-every",
        "\(work.failingEvery)",
      ]
    let options =
      ["engage", "--name", "client-\(number)", "--results", results] + scan
      + ["--timeout", "1", "--attempts", "100"]
      + (work.localSlots == 0 ? ["--no-local"] : ["--slots", "\(work.localSlots)"])
      + (work.isThroughWires ? ["--no-discovery", "--peers", peers] : [])
      + more
    let process =
      try lab?.launch(Paths.binary, options, on: work.client, stage) ?? stage.skynet(options)
    return RunningEngagement(process: process, resultsFile: results)
  }

  func close() {
    for wire in wires.values { wire.stop() }
  }
}
