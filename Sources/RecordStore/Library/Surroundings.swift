// What the store takes from the world outside: the clock, randomness, who is at the keyboard.
// Passed in, so that a test decides them; nothing else in this target reads a clock.

internal import Glibc
package import Records

/// The clock, the source of random bits and the names that a library works with.
package struct Surroundings: Sendable {
  /// The wall clock: milliseconds since 1970 UTC.
  package var milliseconds: @Sendable () -> Int64
  /// 64 random bits.
  package var random: @Sendable () -> UInt64
  /// The author that history names: the person's login name.
  package var person: String
  /// What other devices call this one.
  package var deviceName: String
  /// What tells this machine from others, for noticing that a file was copied (invariant J6).
  package var machine: String
  /// A table with more rows is read by two readers at once where no index helps.
  package var rowsOfOneReader: Int64 = 100_000
  /// Makes write statements fail, in tests.
  package var faults: Faults?

  package init(
    milliseconds: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> UInt64,
    person: String, deviceName: String, machine: String, faults: Faults? = nil
  ) {
    self.milliseconds = milliseconds
    self.random = random
    self.person = person
    self.deviceName = deviceName
    self.machine = machine
    self.faults = faults
  }

  /// This machine and the person who runs the program.
  package static var system: Surroundings {
    Surroundings(
      milliseconds: {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
      },
      random: { UInt64.random(in: .min ... .max) },
      person: environment("USER") ?? environment("LOGNAME") ?? accountName() ?? "uid \(getuid())",
      deviceName: hostName(),
      machine: machineID())
  }

  /// A new record id (UUID version 7).
  package func newRecordID() -> RecordID {
    RecordID(version7: milliseconds(), random: (random(), random()))
  }

  /// A new draft id.
  package func newDraftID() -> DraftID { DraftID(newRecordID()) }
}

private func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}

/// What the system calls the account (a service or a container may set no USER).
private func accountName() -> String? {
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  var buffer = [CChar](repeating: 0, count: 4096)
  guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
    let name = entry.pw_name
  else { return nil }
  return String(cString: name)
}

private func hostName() -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard gethostname(&buffer, buffer.count - 1) == 0 else { return "this machine" }
  return text(of: buffer)
}

/// `/etc/machine-id` (machine-id(5)); where there is none, the host's name has to do.
private func machineID() -> String {
  guard let file = fopen("/etc/machine-id", "r") else { return hostName() }
  defer { fclose(file) }
  var buffer = [CChar](repeating: 0, count: 64)
  guard fgets(&buffer, Int32(buffer.count), file) != nil else { return hostName() }
  let id = text(of: buffer).prefix { $0.isHexDigit }
  return id.isEmpty ? hostName() : String(id)
}

private func text(of buffer: [CChar]) -> String {
  String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
