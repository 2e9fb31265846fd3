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
  /// Records would leave for another account or zone: a person has to want that.
  case asks(ServiceChange)
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
  /// Whether a person was asked, and wants the records to leave for another account or zone.
  package var isWanted = false

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

  /// Reaches a service, signs in, and has `body` make it the library's.
  ///
  /// A new sign-in is kept only where that went well.
  ///
  /// - Parameter showPage: Shows the page on which a person signs in, where there is one.
  func reach(
    _ request: SyncSetupRequest, library path: String?,
    showPage: @escaping @Sendable (String) -> Void,
    _ body: @escaping @Sendable (SyncSettings, ServiceClient) async throws -> ServiceChange
  ) async throws(SyncProblem) -> ServiceChange
}
