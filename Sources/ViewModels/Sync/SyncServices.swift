// What the interface needs of the world to sync: a way to the service that a library is set up with,
// and setting one up. The program knows addresses, tokens and transports; nothing here does.

package import RecordStore
package import Sync

/// Why a service can't be used, before any answer of its own.
package enum SyncProblem: Error, Sendable, Hashable {
  /// By the stable word of the event log, with the raw reason.
  case cause(String, detail: String?)
  case badAddress(String)
  case needsTokens
  case badTokens(path: String)
  case tokensNotKept(path: String)
  case serviceFile(path: String, reason: String)
  /// Another process syncs the library.
  case busyElsewhere
  case failed(Failure)
}

/// What a person says to set sync up.
package struct SyncSetupRequest: Sendable, Hashable {
  /// `file:PATH`, or an http(s) address.
  package var address: String
  package var container: String
  package var zone: String
  /// What `skyros-server token add` printed; empty where none is needed or it is known already.
  package var tokenFile: String

  package init(address: String, container: String, zone: String, tokenFile: String = "") {
    self.address = address
    self.container = container
    self.zone = zone
    self.tokenFile = tokenFile
  }
}

/// The services of this machine's libraries.
package protocol SyncServices: Sendable {
  /// What is filled in where nobody says otherwise.
  var standard: SyncSetupRequest { get }

  /// Opens the way to the service of a library.
  ///
  /// - Parameter path: The library's folder.
  func open(_ settings: SyncSettings, library path: String?) async throws(SyncProblem)
    -> any SyncTransport

  /// Reaches a service and signs in; the settings that the library shall have.
  func reach(_ request: SyncSetupRequest, library path: String?) async throws(SyncProblem)
    -> SyncSettings
}
