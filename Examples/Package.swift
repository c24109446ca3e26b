// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "examples",
  platforms: [.macOS(.v15)],
  // With this name, the package builds in a clone of any folder name.
  dependencies: [.package(name: "skynet", path: "..")],
  targets: [
    .target(name: "Primes", dependencies: [.product(name: "SkyNetKit", package: "skynet")]),
    .executableTarget(
      name: "primes-node",
      dependencies: ["Primes", .product(name: "SkyNetKit", package: "skynet")],
      path: "Sources/PrimesNode"),
    .executableTarget(
      name: "primes", dependencies: ["Primes", .product(name: "SkyNetKit", package: "skynet")],
      path: "Sources/PrimesEngage"),
    .executableTarget(
      name: "two-passes", dependencies: [.product(name: "SkyNetKit", package: "skynet")],
      path: "Sources/TwoPasses"),
    .executableTarget(
      name: "find-sources", dependencies: [.product(name: "SkyDetection", package: "skynet")],
      path: "Sources/FindSources"),
  ]
)
