// The services of this machine's libraries, for the interface: addresses, tokens and transports behind
// the protocol that the view models know. The command line goes the same ways.

internal import RecordStore
internal import Sync
internal import SyncTransports
internal import ViewModels

struct ProgramSyncServices: SyncServices {
  var standard: SyncSetupRequest {
    SyncSetupRequest(
      address: "http://127.0.0.1:7373", container: ServiceAddress.standardContainer,
      zone: ServiceAddress.standardZone)
  }

  func open(
    _ settings: SyncSettings, library path: String?
  ) async throws(SyncProblem) -> any SyncTransport {
    do {
      return try await Transports.open(settings, library: path ?? "")
    } catch {
      throw SyncProblem(error)
    }
  }

  func reach(
    _ request: SyncSetupRequest, library path: String?,
    showPage: @escaping @Sendable (String) -> Void,
    _ body: @escaping @Sendable (SyncSettings, ServiceClient) async throws -> ServiceChange
  ) async throws(SyncProblem) -> ServiceChange {
    do {
      return try await SyncSettingUp(
        address: ServiceAddress(request.address), container: request.container,
        zone: request.zone, tokens: request.tokenFile.isEmpty ? nil : .file(request.tokenFile),
        library: path ?? "", showPage: showPage
      ).reach(body)
    } catch {
      throw SyncProblem(error)
    }
  }
}

extension SyncProblem {
  init(_ error: any Error) {
    self =
      switch error {
      case let problem as SyncProblem: problem
      case let refusal as ServiceChangeRefusal: SyncProblem(refusal)
      case SyncFailure.failed(let cause, let detail): .cause(cause, detail: detail)
      case SyncFailure.badAddress(let text): .badAddress(text)
      case SyncFailure.needsTokens, SyncFailure.tokensMissing: .needsTokens
      case SyncFailure.badTokens(let path): .badTokens(path: path)
      case SyncFailure.tokensNotKept(let path): .tokensNotKept(path: path)
      case SyncFailure.serviceFile(let path, let reason):
        .serviceFile(path: path, reason: reason)
      case SyncFailure.busyElsewhere, SyncFailure.syncedElsewhere: .busyElsewhere
      case Failure.file(let path, let code):
        .failed(.store(.file(operation: "read", path: path, code: code)))
      default: .failed(ViewModels.Failure(error))
      }
  }
}
