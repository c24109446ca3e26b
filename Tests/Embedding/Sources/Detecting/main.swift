import SkyDetection

// One bright square on a flat sky.
let side = 64
let pixels = (0..<side * side).map { index -> Float in
  let isInside = (20..<30).contains(index % side) && (20..<30).contains(index / side)
  return isInside ? 1000 : Float(index % 7)
}
let sources = try SourceDetector().sources(in: pixels, width: side, height: side)
print("\(sources.count { $0.peak > 900 }) bright source")
