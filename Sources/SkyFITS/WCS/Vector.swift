import Foundation

/// A direction, or a difference of directions.
struct Vector {
  var x, y, z: Double

  init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  init(_ numbers: [Double]) { self.init(x: numbers[0], y: numbers[1], z: numbers[2]) }

  init(_ position: SkyPosition) {
    let c = cosine(ofDegrees: position.declination)
    self.init(
      x: c * cosine(ofDegrees: position.rightAscension),
      y: c * sine(ofDegrees: position.rightAscension), z: sine(ofDegrees: position.declination))
  }

  var unit: Vector { self * (1 / (self * self).squareRoot()) }

  var position: SkyPosition {
    SkyPosition(
      rightAscension: wrapped(atan2(y, x) * 180 / .pi),
      atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi)
  }

  static func + (a: Vector, b: Vector) -> Vector {
    Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }
  static func - (a: Vector, b: Vector) -> Vector { a + b * -1 }
  static func * (a: Vector, b: Double) -> Vector { Vector(x: a.x * b, y: a.y * b, z: a.z * b) }
  static func * (a: Vector, b: Vector) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }
}

func cosine(ofDegrees angle: Double) -> Double { cos(angle * .pi / 180) }

func sine(ofDegrees angle: Double) -> Double { sin(angle * .pi / 180) }

/// An angle from 0 up to 360.
func wrapped(_ degrees: Double) -> Double {
  let rest = degrees.truncatingRemainder(dividingBy: 360)
  let angle = rest < 0 ? rest + 360 : rest
  // A tiny negative angle is rounded to 360.
  return angle < 360 ? angle : 0
}

extension SkyPosition {
  init(rightAscension: Double, _ declination: Double) {
    self.init(rightAscension: rightAscension, declination: declination)
  }
}
