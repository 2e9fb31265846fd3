// The day and the zone, passed in: view models read no clock of their own.

package import Records

/// Tells the local time: today, and how far it is from UTC.
///
/// Asked again for each use, since a session may last past midnight.
package typealias TimeSource = @Sendable () -> LocalTime
