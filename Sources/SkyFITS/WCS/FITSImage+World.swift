extension FITSImage {
  /// Why the header does not tell J2000 positions, and no coordinates from which they follow: those of
  /// FK4, of another equinox, or galactic, ecliptic or supergalactic; `nil` if it does.
  ///
  /// - Throws: ``FITSError`` if the file cannot be read.
  package var skyFault: NoSkyPositions? {
    get async throws {
      do {
        try await checkSky()
        return nil
      } catch let fault as NoSkyPositions {
        if case .otherFrame(let frame, _) = fault, !["FK4", "FK5"].contains(frame) { return fault }
        do {
          return try await world([]).system.isInSky ? nil : fault
        } catch is NoSkyPositions {
          return fault
        }
      }
    }
  }

  /// The world coordinates of points in the image, in the header's primary system.
  ///
  /// - Throws: ``NoSkyPositions`` if the header's coordinates cannot be computed with; ``FITSError``.
  package func world(_ places: [PixelPosition]) async throws -> WorldPlaces {
    try await file.world(places)
  }

  /// The world coordinates of points in the image, and how they change there from pixel to pixel;
  /// `nil` for a point that is outside of the sky, or has a neighbour there.
  ///
  /// - Throws: ``NoSkyPositions`` if the header's coordinates cannot be computed with; ``FITSError``.
  package func jacobians(
    _ places: [PixelPosition]
  ) async throws -> (places: WorldPlaces, jacobians: [Jacobian?]) {
    let moved =
      places.map { PixelPosition(x: $0.x + 1, y: $0.y) }
      + places.map { PixelPosition(x: $0.x, y: $0.y + 1) }
    var world = try await self.world(places + moved)
    let (positions, system, count) = (world.positions, world.system, places.count)
    world.positions = Array(positions[..<count])
    let jacobians = (0..<count).map { index -> Jacobian? in
      guard let place = positions[index], let right = positions[count + index],
        let up = positions[2 * count + index]
      else { return nil }
      return system.jacobian(at: place, right: right, up: up)
    }
    return (world, jacobians)
  }
}
