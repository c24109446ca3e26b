// swift-tools-version: 6.2

import PackageDescription

/// What every target is compiled with. Swift 6 mode comes with the tools version.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The same, and calling an async function is no switch of executors. Each switch looks up the task's
/// preferred one, which took an eighth of a coordinator's time.
let inPlace = strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

/// The same for targets that compute over pixels: this package's debug builds optimize them too, since its tests scan
/// images, and took most of their time there (decision 0067). SwiftPM lets no fetched dependency set flags, so where
/// this package is one, its debug builds are as slow as any.
let isDependency = Context.packageDirectory.contains("/checkouts/")
let computing =
  inPlace + (isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))])

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let bits = Target.Dependency.product(name: "BitCollections", package: "swift-collections")
let asyncAlgorithms = Target.Dependency.product(
  name: "AsyncAlgorithms", package: "swift-async-algorithms")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let serviceLifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let serviceLifecycleTestKit = Target.Dependency.product(
  name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(
  name: "UnixSignals", package: "swift-service-lifecycle")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing = Target.Dependency.product(
  name: "InMemoryTracing", package: "swift-distributed-tracing")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioFoundation = Target.Dependency.product(
  name: "NIOFoundationEssentialsCompat", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioTestUtils = Target.Dependency.product(name: "NIOTestUtils", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")

/// The commit for `skynet --version`: deploy/setup's `build_release` sets the variable. (`Context.gitInformation`
/// has the commit of the last change of this file: SwiftPM keeps what a manifest said.)
let commit = Context.environment["SKYNET_COMMIT"]?.filter { $0.isHexDigit || $0 == "+" } ?? ""

/// Makes the reference (`swift package generate-documentation`), for `Tests/run documentation`. No target depends on it.
let documentation: [Package.Dependency] =
  Context.environment["SKYNET_DOCUMENTATION"] == nil
  ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")]

/// Its `main` is libFuzzer's, so it links only with `-sanitize=fuzzer`: `Tests/run fuzz` sets both.
let fuzzer: [Target] =
  Context.environment["SKYNET_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "SkyNetFuzzer", dependencies: ["SkyNetFuzz"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
  ]

let package = Package(
  name: "skynet",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "skynet", targets: ["SkyNetCLI"]),
    .library(name: "SkyNetKit", targets: ["SkyNetKit"]),
    .library(name: "SkyNetCommand", targets: ["SkyNetCommand"]),
    .library(name: "SkyNetCore", targets: ["SkyNetCore"]),
    .library(name: "SkyNetKeys", targets: ["SkyNetKeys"]),
    .library(name: "SkyNetTransport", targets: ["SkyNetTransport"]),
    .library(name: "SkyNetDiscovery", targets: ["SkyNetDiscovery"]),
    .library(name: "SkyNetCluster", targets: ["SkyNetCluster"]),
    .library(name: "SkyNetJournal", targets: ["SkyNetJournal"]),
    .library(name: "SkyScan", targets: ["SkyScan"]),
    .library(name: "SkyDetection", targets: ["SkyDetection"]),
    .library(name: "SkyFITS", targets: ["SkyFITS"]),
    .library(name: "SkyCatalog", targets: ["SkyCatalog"]),
    .library(name: "SkyPicture", targets: ["SkyPicture"]),
    .library(name: "SkyPrograms", targets: ["SkyPrograms"]),
    .library(name: "SkyNetTestKit", targets: ["SkyNetTestKit"]),
  ],
  traits: [
    .default(enabledTraits: ["Images"]),
    .trait(
      name: "Images",
      description: "skynet scans images, for which it needs CFITSIO, WCSLIB, libpng and zlib."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.0.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
  ] + documentation,
  targets: [
    .systemLibrary(
      name: "CDNSSD", providers: [.apt(["libavahi-compat-libdnssd-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CResolver"),
    // One file, which alone is compiled anew for another commit.
    .target(
      name: "CBuild",
      cSettings: commit.isEmpty ? [] : [.define("SKYNET_COMMIT", to: "\"\(commit)\"")]),
    .systemLibrary(name: "CProcess"),
    .systemLibrary(
      name: "CCFITSIO", pkgConfig: "cfitsio",
      providers: [.apt(["libcfitsio-dev"]), .brew(["cfitsio"])]),

    .systemLibrary(
      name: "CWCSLIB", pkgConfig: "wcslib", providers: [.apt(["wcslib-dev"]), .brew(["wcslib"])]),
    .systemLibrary(
      name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),

    .target(name: "SkyNetCore", dependencies: [deque], swiftSettings: inPlace),
    .target(
      name: "SkyNetTransport",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetKeys", nioCore, nioFoundation, nioPosix, nioTLS,
        nioSSL,
      ],
      swiftSettings: inPlace),
    .target(
      name: "SkyNetKeys", dependencies: ["SkyNetCore", "CSodium"], swiftSettings: inPlace),
    .target(
      name: "SkyNetDiscovery",
      dependencies: ["SkyNetCore", "SkyNetCluster", "CDNSSD", "CResolver", logging],
      swiftSettings: inPlace),
    .target(
      name: "SkyNetCluster",
      dependencies: [
        "SkyNetCore", asyncAlgorithms, bits, coreMetrics, deque, logging, serviceLifecycle, tracing,
      ],
      swiftSettings: inPlace),
    .target(name: "SkySQLite", dependencies: ["CSQLite"], swiftSettings: inPlace),
    .target(
      name: "SkyNetJournal",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyFiles", "SkySQLite", "CSodium", "CSQLite", logging,
      ],
      swiftSettings: inPlace),
    .target(name: "SkyProcess", dependencies: ["CProcess"], swiftSettings: inPlace),
    .target(name: "SkyFiles", dependencies: ["CProcess"], swiftSettings: inPlace),
    .target(name: "SkyDetection", swiftSettings: computing),
    .target(
      name: "SkyFITS",
      dependencies: [
        "SkyDetection", "SkyFiles", "SkyProcess", "CCFITSIO", "CWCSLIB", "CProcess", "CZlib",
      ],
      swiftSettings: computing),
    .target(
      name: "SkyCatalog", dependencies: ["SkyDetection", "SkyFiles", "SkyFITS", "CCFITSIO"],
      swiftSettings: computing),
    .target(
      name: "SkyPicture", dependencies: ["SkyDetection", "SkyFITS", "CPNG"],
      swiftSettings: computing),
    .target(
      name: "SkyScan",
      dependencies: ["SkyDetection", "SkyFiles", "SkyFITS", "SkyCatalog", "SkyNetCore", deque],
      swiftSettings: computing),
    .target(
      name: "SkyPrograms", dependencies: ["SkyNetCore", "SkyFiles", "SkyProcess"],
      swiftSettings: inPlace),
    .target(name: "SkySimulation", dependencies: ["SkyNetCore"], swiftSettings: inPlace),
    .target(
      name: "SkyNetKit",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetDiscovery", "SkyNetKeys", "SkyNetTransport", logging,
        serviceLifecycle, unixSignals,
      ],
      swiftSettings: inPlace),
    .target(
      name: "SkyNetTestKit", dependencies: ["SkyNetCore", "SkyNetCluster"],
      swiftSettings: inPlace),
    .target(
      name: "SkyNetViews", dependencies: ["SkyNetCore", "SkyNetCluster"], swiftSettings: inPlace),
    .target(
      name: "SkyNetHTTP",
      dependencies: ["SkyNetCore", nioCore, nioHTTP1, nioPosix],
      swiftSettings: inPlace),
    .target(
      name: "SkyNetMetrics", dependencies: ["SkyNetCore", "SkyNetCluster", coreMetrics],
      swiftSettings: inPlace),
    .target(
      name: "SkyNetReport",
      dependencies: ["SkyNetCore", "SkyNetCluster", "SkyNetJournal", "SkyNetViews", "CSodium"],
      swiftSettings: inPlace),
    .plugin(name: "EmbedPage", capability: .buildTool(), exclude: ["embed"]),
    .target(
      name: "SkyNetWeb",
      dependencies: ["SkyNetCore", "SkyNetCluster", "SkyNetHTTP", "SkyNetViews"],
      exclude: ["Page"],
      swiftSettings: inPlace,
      plugins: ["EmbedPage"]),
    .target(
      name: "SkyNetCommand",
      dependencies: [
        "SkyNetCore", "SkyNetKeys", "SkyNetTransport", "SkyNetDiscovery", "SkyNetCluster",
        "SkyNetHTTP", "SkyNetJournal", "SkyNetKit", "SkyNetMetrics", "SkyNetReport", "SkyNetViews",
        "SkyNetWeb", "SkyFiles",
        .target(name: "CMalloc", condition: .when(platforms: [.linux])), "CBuild",
        argumentParser, coreMetrics, logging, serviceLifecycle, unixSignals,
      ],
      swiftSettings: inPlace),
    .target(
      name: "SimulatedWorkload",
      dependencies: ["SkyNetCore", "SkyNetCommand", "SkySimulation", argumentParser],
      swiftSettings: inPlace),
    .target(
      name: "ProgramsWorkload",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetJournal", "SkyNetCommand", "SkyFiles", "SkyPrograms",
        argumentParser, logging,
      ],
      swiftSettings: inPlace),
    .target(
      name: "ImagesWorkload",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetKeys", "SkyNetJournal", "SkyNetMetrics",
        "SkyNetReport",
        "SkyNetViews", "SkyNetWeb", "SkyNetCommand", "SkyFiles", "SkyDetection", "SkyFITS",
        "SkyCatalog",
        "SkyPicture", "SkyScan", argumentParser, logging,
      ],
      swiftSettings: inPlace),
    .executableTarget(
      name: "SkyNetCLI",
      dependencies: [
        "SkyNetCore", "SkyNetCommand", "ProgramsWorkload", "SimulatedWorkload",
        .target(name: "ImagesWorkload", condition: .when(traits: ["Images"])), argumentParser,
      ],
      swiftSettings: inPlace),
    .executableTarget(
      name: "SkyNetBench",
      dependencies: [
        "SkyNetCore", "SkyNetKeys", "SkyNetTransport", "SkyNetCluster", "SkyNetJournal",
        "SkyNetViews", "SkyDetection",
        .target(name: "CMalloc", condition: .when(platforms: [.linux])), deque, heap,
        nioCore, nioEmbedded, nioSSL,
      ],
      swiftSettings: inPlace),
    .executableTarget(
      name: "SkyNetPieces",
      dependencies: ["SkyNetCore", "SkyNetCluster", "SkyNetViews", "SkyDetection", "SkyFITS"],
      swiftSettings: inPlace),
    .executableTarget(
      name: "SkyNetImageFuzz",
      dependencies: ["SkyNetCore", "SkyFITS"],
      swiftSettings: inPlace),
    .target(
      name: "SkyNetFuzz",
      dependencies: [
        "SkyNetCore", "SkyNetTransport", "SkyNetDiscovery", "SkyNetCluster", "SkyDetection",
        "SkyFITS", "SkyCatalog", "SkyScan", "SkySimulation", nioCore, nioEmbedded,
      ],
      swiftSettings: inPlace),

    .testTarget(
      name: "SkyNetCoreTests", dependencies: ["SkyNetCore"], swiftSettings: strict),
    .testTarget(
      name: "Simulation", dependencies: ["SkyNetCore"], swiftSettings: strict),
    .testTarget(
      name: "SkyNetKeysTests", dependencies: ["SkyNetKeys"], swiftSettings: strict),
    .testTarget(
      name: "SkyNetTransportTests",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetKeys", "SkyNetTransport", nioCore, nioPosix,
        nioEmbedded, nioTestUtils,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetDiscoveryTests",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetDiscovery", "SkyNetTestKit", "TestSupport", logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetClusterTests",
      dependencies: [
        "SkyNetCore", "SkyNetKeys", "SkyNetTransport", "SkyNetCluster", "SkyNetTestKit",
        coreMetrics, inMemoryTracing, logging, serviceLifecycle, serviceLifecycleTestKit, tracing,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetJournalTests",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetJournal", "SkySQLite", "SkyNetTestKit", "CSQLite",
      ],
      swiftSettings: strict),
    .target(name: "TestStart", path: "Tests/TestStart"),
    .target(
      name: "TestSupport", dependencies: ["TestStart"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .executableTarget(
      name: "ProgramHost", dependencies: ["SkyProcess"], path: "Tests/ProgramHost",
      swiftSettings: strict),
    .testTarget(
      name: "SkyProcessTests",
      dependencies: ["SkyProcess", "ProgramHost", "SkyTestSupport", "TestSupport"],
      swiftSettings: strict),
    .target(
      name: "SkyTestSupport", dependencies: ["CCFITSIO"], path: "Tests/SkyTestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "SkyDetectionTests", dependencies: ["SkyNetCore", "SkyDetection"],
      swiftSettings: strict),
    .testTarget(
      name: "SkyFilesTests", dependencies: ["SkyFiles", "SkyTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "SkySimulationTests", dependencies: ["SkyNetCore", "SkySimulation"],
      swiftSettings: strict),
    .testTarget(
      name: "SkyFITSTests",
      dependencies: [
        "SkyDetection", "SkyFiles", "SkyFITS", "SkyProcess", "SkyTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyCatalogTests",
      dependencies: [
        "SkyDetection", "SkyFiles", "SkyFITS", "SkyCatalog", "SkyTestSupport", "CCFITSIO",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyPictureTests",
      dependencies: [
        "SkyNetCore", "SkyDetection", "SkyFITS", "SkyPicture", "SkyTestSupport", "CPNG",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyScanTests",
      dependencies: [
        "SkyNetCore", "SkyDetection", "SkyFiles", "SkyFITS", "SkyCatalog", "SkyScan",
        "SkyTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyProgramsTests",
      dependencies: [
        "SkyNetCore", "SkyFiles", "SkyProcess", "SkyPrograms", "SkyTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetViewsTests",
      dependencies: ["SkyNetCore", "SkyNetCluster", "SkyNetViews"],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetMetricsTests",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetJournal", "SkyNetMetrics", "SkyNetTestKit",
        "SkySQLite", coreMetrics,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetReportTests",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetJournal", "SkyNetReport", "SkyNetViews",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetWebTests",
      dependencies: [
        "SkyNetCore", "SkyNetCluster", "SkyNetHTTP", "SkyNetViews", "SkyNetWeb",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetCommandTests",
      dependencies: [
        "SkyNetCommand", "SkyNetCluster", "SkyNetCore", "SkyNetJournal", "SkyNetKit",
        "SkyNetTestKit",
        "SkyNetViews", "SkySimulation", argumentParser, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProgramsWorkloadTests",
      dependencies: [
        "ProgramsWorkload", "SkyNetCommand", "SkyNetCluster", "SkyNetCore", "SkyFiles",
        "SkyPrograms", "SkyTestSupport", "TestSupport", argumentParser,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ImagesWorkloadTests",
      dependencies: [
        "ImagesWorkload", "SkyNetCommand", "SkyNetCluster", "SkyNetCore", "SkyFiles",
        "SkyDetection",
        "SkyFITS", "SkyCatalog", "SkyScan", argumentParser, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SkyNetCLITests",
      dependencies: [
        "SkyNetCLI", "SkyNetCommand", "ImagesWorkload", "ProgramsWorkload", "SimulatedWorkload",
        "SkySimulation", "SkyPrograms",
        "SkyFiles",
        "SkyNetCluster", "SkyNetCore", "SkyNetKit", "SkyDetection", "SkyFITS", "SkyCatalog",
        "SkyScan", argumentParser, logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "Examples",
      dependencies: [
        "SkyNetCore", "SkyNetKeys", "SkyNetTransport", "SkyNetDiscovery", "SkyNetCluster",
        "SkyNetTestKit", logging,
        serviceLifecycle, serviceLifecycleTestKit, unixSignals,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEnd",
      dependencies: [
        "SkyNetCLI", "SkyNetCore", "SkyNetCluster", "SkyNetKeys", "SkyNetTransport", "SkyDetection",
        "SkyFiles", "SkyFITS", "SkyCatalog", "SkyScan", "SkySimulation", "SkySQLite",
        "SkyTestSupport", "TestSupport", nioCore, nioPosix, nioSSL,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "Fuzzing", dependencies: ["SkyNetCore", "SkyNetFuzz"],
      exclude: ["Corpus", "tokens.dict"],
      swiftSettings: strict),
  ] + fuzzer
)
