// Every sentence of the program about something that did not work, and with what status it ends.

import Glibc
import RecordService
import RecordServiceHTTP

enum CommandWords {
  /// Nil for errors that are not ours: usage, for one.
  static func sentence(for error: any Error) -> String? {
    switch error {
    case let fault as ProvisioningFault: provisioning(fault)
    case let fault as StorageFault: storage(fault)
    case let fault as ServerFault: server(fault)
    case let fault as CommandFault: fault.sentence
    default: nil
    }
  }

  /// As the interface's program ends: 2 for a value that can't be meant, 3 for what is not there.
  static func status(for error: any Error) -> Int32 {
    switch error {
    case ProvisioningFault.badName, ProvisioningFault.badContainer, ServerFault.badAddress,
      ServerFault.needsTLS, CommandFault.badStore, CommandFault.noStore:
      2
    case ProvisioningFault.noSuchUser, ProvisioningFault.noSuchZone, CommandFault.unknownID: 3
    default: 1
    }
  }

  private static func provisioning(_ fault: ProvisioningFault) -> String {
    switch fault {
    case .badName(let name): "'\(name)' can't be a name: use 1 to 255 printable characters."
    case .badContainer(let id):
      "'\(id)' is no container id. One looks like iCloud.org.example.notes: words of letters, "
        + "digits, - and _, joined by dots."
    case .userExists(let name): "There is a user '\(name)' already."
    case .noSuchUser(let name):
      "There is no user '\(name)'. Add one with: skyros-server user add \(name)"
    case .keyExists(let id): "There is a key '\(id)' already. Choose another --key-id."
    case .noPublicKey: "The file is no public key. Give the PEM of an EC P-256 public key."
    case .zoneExists(let name): "There is a zone '\(name)' already."
    case .noSuchZone(let name): "There is no zone '\(name)'."
    case .tooManyZones(let user): "The user '\(user)' has as many zones as one may have."
    }
  }

  private static func storage(_ fault: StorageFault) -> String {
    switch fault {
    case .newerFile: "The store was made by a newer skyros-server. Update this one."
    case .busy: "The store is busy: another process is writing. Try again."
    case .full:
      "The store has no room left; nothing was lost. Make room on its disk, or delete zones."
    case .system(let code): "The store can't be used: \(String(cString: strerror(code)))."
    }
  }

  private static func server(_ fault: ServerFault) -> String {
    switch fault {
    case .badAddress(let text): "'\(text)' is no address to listen on. Write HOST:PORT."
    case .needsTLS(let host):
      "Listening on \(host) in the clear would show everybody's data to the network. Give "
        + "--tls-cert and --tls-key, or --allow-plain behind a proxy that does TLS."
    case .badCertificate(let path): "There is no certificate in PEM in '\(path)'."
    case .badKey(let path): "There is no private key in PEM in '\(path)'."
    case .foreignKey: "The private key does not belong to the certificate."
    }
  }
}

/// What a command finds out by itself.
enum CommandFault: Error {
  case badStore(String)
  case noStore(path: String)
  case unreadable(path: String)
  case unknownID(String)
  case noListening(address: String, reason: String)
  case folderExists(String)
  case noCopy(String)
  case storeExists(String)

  var sentence: String {
    switch self {
    case .badStore(let text): "'\(text)' is no store. Write sqlite:PATH."
    case .noStore(let path):
      "There is no store at '\(path)'. 'user add' and 'serve' make one; give its path with --store."
    case .unreadable(let path): "The file '\(path)' can't be read."
    case .unknownID(let id): "There is nothing with the id '\(id)' to revoke."
    case .noListening(let address, let reason):
      "The server can't listen on \(address): \(reason)."
    case .folderExists(let path): "'\(path)' exists already. A copy goes into a new folder."
    case .noCopy(let path): "There is no whole copy of a service in '\(path)'."
    case .storeExists(let path):
      "There is a store at '\(path)' already. A copy is restored where there is none."
    }
  }
}
