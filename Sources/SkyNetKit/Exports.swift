@_exported public import SkyNetCluster
@_exported public import SkyNetCore
@_exported public import SkyNetDiscovery
@_exported public import SkyNetKeys
@_exported public import SkyNetTransport

// A program needs only `import SkyNetKit`: these exports bring the protocol of scans, the cluster, the network, the
// cluster's key, and the log that a program may pass.
@_exported public import struct Logging.Logger
