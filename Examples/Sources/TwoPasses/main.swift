import SkyNetKit

let numbers = (0..<64).map { row in (0..<1000).map { Double((row * 1000 + $0) % 977) } }
let (job, tally) = try await withCluster(scans: [Deviations()]) { cluster in
  try await cluster.coordinator().run(SpreadJob(rows: numbers))
}
print("mean \(job.mean), variance \(job.variance), \(tally.completed) of \(tally.total) sectors")
