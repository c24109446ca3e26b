import SkyDetection

// A made-up image of 256 × 256 pixels: a sky that is not even, noise, and three stars.
let (width, height) = (256, 256)
let stars = [(x: 40.0, y: 50.0), (x: 180.5, y: 70.25), (x: 120.0, y: 200.0)]
let pixels = (0..<width * height).map { index in
  let (x, y) = (Double(index % width + 1), Double(index / width + 1))
  let light = stars.map { star in
    let square = (x - star.x) * (x - star.x) + (y - star.y) * (y - star.y)
    return 500 / ((1 + square / 4) * (1 + square / 4))
  }
  return Float(100 + x / 50 + light.reduce(0, +) + .random(in: -2...2))
}

var settings = DetectionSettings()
settings.threshold = 5
let sources = try SourceDetector(settings).sources(in: pixels, width: width, height: height)
for source in sources {
  print("at \(source.x), \(source.y): \(source.flux) in \(source.area) pixels")
}
print("\(sources.count) sources")
