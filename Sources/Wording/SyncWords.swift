// What sync's answers mean, for people: a sentence of what is wrong, and one of what to do. By the
// stable words of the event log, so that a status read from the file needs no more.

/// The sentences of one cause.
package struct SyncCauseWords: Sendable, Hashable {
  package let sentence: String
  /// What to do; nothing where waiting is enough.
  package let remedy: String?
}

package enum SyncWords {
  /// The words of a cause; a cause that only a newer Skyros knows is named as it is.
  package static func cause(_ word: String) -> SyncCauseWords {
    causes[word]
      ?? SyncCauseWords(
        sentence: "Sync failed (\(word)).", remedy: "Try again: skyros sync now")
  }

  private static let causes: [String: SyncCauseWords] = [
    "ACCESS_DENIED": words(
      "The service does not let this account do that.",
      "Ask who runs the service for access, or set up another account."),
    "ATOMIC_ERROR": words("The service refused a whole batch.", nil),
    "AUTHENTICATION_FAILED": words(
      "The service refused the sign-in.", "Sign in again: skyros sync setup URL --token-file FILE"),
    "AUTHENTICATION_REQUIRED": words(
      "The sign-in has run out.", "Sign in again: skyros sync setup URL --token-file FILE"),
    "BAD_REQUEST": words(
      "The service can't take the record as it is.",
      "Look at the reason, change the record, and save it."),
    "CONFLICT": words("Somebody else changed the record at the same time.", nil),
    "EXISTS": words("The record is on the service already.", nil),
    "INTERNAL_ERROR": words("The service has a problem of its own.", nil),
    "NOT_FOUND": words("The service does not have what was asked for.", nil),
    "QUOTA_EXCEEDED": words(
      "There is no room left on the service.", "Free space there, then: skyros sync now"),
    "THROTTLED": words("The service asks for a slower pace.", nil),
    "TRY_AGAIN_LATER": words("The service is busy.", nil),
    "VALIDATING_REFERENCE_ERROR": words(
      "The service refused a reference of the record.",
      "Look at the reason, change the record, and save it."),
    "ZONE_NOT_FOUND": words("The zone is not on the service.", nil),
    "UNIQUE_FIELD_ERROR": words(
      "The service holds another record with the same value in a field that must differ.",
      "Change the value and save."),
    "tokenRefused": words("The service no longer knows how far we had read.", nil),
    "tokenRefused.retention": words("We were away longer than the service remembers.", nil),
    "tokenRefused.future": words("The service was put back to an older state.", nil),
    "tokenRefused.recreated": words("The zone was deleted and made again.", nil),
    "foreignPage": words(
      "Something else than the service answered: a sign-in page of the network, or a proxy.",
      "Open a web page to sign in to the network, or check the address."),
    "garbled": words("The service's answer broke off or can't be read.", nil),
    "missing": words("The service left out part of its answer.", nil),
    "serverTrouble": words("The service has a problem of its own.", nil),
    "unexpectedStatus": words(
      "The service answered in a way that its protocol does not know.",
      "Check the address and the container: skyros sync setup URL"),
    "tooLong": words("Something on the way does not take requests of that size.", nil),
    "clockSkew": words(
      "This machine's clock and the service's differ by minutes.", "Set the clock."),
    "nameNotFound": words(
      "The service's name has no address: no network, or a mistake in it.", nil),
    "unreachable": words("The service can't be reached: it is off, or there is no network.", nil),
    "untrusted": words(
      "The service's certificate is not trusted.",
      "Check the address; install the certificate of who runs the service."),
    "timedOut": words("The service took too long to answer.", nil),
    "interrupted": words("The connection broke.", nil),
    "oversized": words("The service's answer is longer than its protocol allows.", nil),
    "cancelled": words("It was stopped.", nil),
    "storeFailed": words(
      "The library could not be read or written.", "Examine it: skyros doctor"),
    "otherAccount": words(
      "The service takes us for somebody else than before. Nothing was mixed.",
      "Sign in as before, or turn sync off and set it up anew: skyros sync off"),
    "zoneGone": words(
      "Somebody deleted the zone on the service. Nothing was deleted here.",
      "To send everything again: skyros sync off, then skyros sync setup URL"),
    "unknownType": words("A record of a type that only a newer model knows.", nil),
    "newer": words("A record written by a newer Skyros.", "Update Skyros."),
    "damaged": words("A record that can't be read.", nil),
    "absent": words(
      "The service had taken it, and does not have it any more; it can't say why.",
      "To send it again: skyros sync now. To drop it: skyros delete"),
    "recordTooLarge": words(
      "The record is larger than a service takes.", "Shorten its text and save it."),
  ]

  private static func words(_ sentence: String, _ remedy: String?) -> SyncCauseWords {
    SyncCauseWords(sentence: sentence, remedy: remedy)
  }
}
