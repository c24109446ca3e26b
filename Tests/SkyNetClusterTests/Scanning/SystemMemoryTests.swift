import Testing

@testable import SkyNetCluster

@Suite("A machine's memory")
struct SystemMemoryTests {
  @Test("It is read as Linux tells it, and unknown elsewhere")
  func meminfo() {
    let memory = SystemStatus.Memory(
      meminfo: "MemTotal:       1000 kB\nMemFree:         10 kB\nMemAvailable:    400 kB\n")
    #expect(memory?.used == 600 * 1024 && memory?.total == 1000 * 1024)
    #expect(SystemStatus.Memory(meminfo: "") == nil)
  }
}
