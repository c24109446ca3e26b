// swift-tools-version: 6.2

import PackageDescription

/// A package that embeds the cluster and needs no network. `check` builds it from clean, and fails if
/// that compiled an implementation of transport, discovery or journal, or needed one's C library. Of the
/// program that needs the detection alone it fails if that compiled anything else. The program that has the command for
/// a scan of its own is built where no library for images is. Of the others, `First` is a first program, `Library` shows
/// what the library promises one step off the main path, and `Trapping` has a scan that ends its process.
let package = Package(
  name: "embedding",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "skynet", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "Embedding",
      dependencies: [
        .product(name: "SkyNetCore", package: "skynet"),
        .product(name: "SkyNetCluster", package: "skynet"),
        .product(name: "SkyNetTestKit", package: "skynet"),
      ]),
    .executableTarget(
      name: "First", dependencies: [.product(name: "SkyNetKit", package: "skynet")]),
    .executableTarget(
      name: "Library",
      dependencies: [
        .product(name: "SkyNetKit", package: "skynet"),
        .product(name: "SkyNetJournal", package: "skynet"),
      ]),
    .executableTarget(
      name: "Trapping", dependencies: [.product(name: "SkyNetKit", package: "skynet")]),
    .executableTarget(
      name: "Commanding",
      dependencies: [
        .product(name: "SkyNetCommand", package: "skynet"),
        .product(name: "SkyNetCore", package: "skynet"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "Detecting", dependencies: [.product(name: "SkyDetection", package: "skynet")]),
  ]
)
