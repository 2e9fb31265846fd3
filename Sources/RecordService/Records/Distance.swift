internal import CloudKitWire
internal import Glibc

extension WireLocation {
  /// Metres over ground, on a sphere of the earth's mean radius.
  func metres(to other: WireLocation) -> Double {
    let radians = Double.pi / 180
    let half = sin((other.latitude - latitude) * radians / 2)
    let halfAcross = sin((other.longitude - longitude) * radians / 2)
    let chord =
      half * half
      + cos(latitude * radians) * cos(other.latitude * radians) * halfAcross * halfAcross
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }
}
