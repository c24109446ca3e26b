// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "examples",
  platforms: [.macOS(.v26)],
  // The name makes it build whatever the folder of the clone is called.
  dependencies: [
    .package(name: "skynet", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "primes",
      dependencies: [
        .product(name: "SkyNetCommand", package: "skynet"),
        .product(name: "SkyNetCore", package: "skynet"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Primes"),
    .executableTarget(
      name: "two-passes", dependencies: [.product(name: "SkyNetKit", package: "skynet")],
      path: "Sources/TwoPasses"),
    .executableTarget(
      name: "squares",
      dependencies: [
        .product(name: "SkyNetKit", package: "skynet"),
        .product(name: "SkyPrograms", package: "skynet"),
      ],
      path: "Sources/Squares"),
    .executableTarget(
      name: "addresses", dependencies: [.product(name: "SkyNetKit", package: "skynet")],
      path: "Sources/Addresses"),
    .executableTarget(
      name: "book", dependencies: [.product(name: "SkyNetKit", package: "skynet")], path: "Book"),
    .executableTarget(
      name: "find-sources", dependencies: [.product(name: "SkyDetection", package: "skynet")],
      path: "Sources/FindSources"),
  ]
)
