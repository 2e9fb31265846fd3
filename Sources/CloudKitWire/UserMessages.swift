// users/caller and users/current.

/// Who somebody is, as far as the service knows and the caller may see.
package struct UserIdentity: Sendable, Hashable {
  package var userRecordName: String
  package var givenName: String?
  package var familyName: String?

  package init(userRecordName: String, givenName: String? = nil, familyName: String? = nil) {
    self.userRecordName = userRecordName
    self.givenName = givenName
    self.familyName = familyName
  }
}

/// users/caller is documented as a list of one; a bare identity is read too.
package struct UsersResponse: Sendable, Hashable {
  package var users: [UserIdentity]

  package init(_ users: [UserIdentity]) {
    self.users = users
  }
}

extension UserIdentity: WireWritable {
  init?(_ json: JSONValue) {
    guard let name = json["userRecordName"]?.string else { return nil }
    self.init(
      userRecordName: name,
      givenName: json["nameComponents"]?["givenName"]?.string ?? json["firstName"]?.string,
      familyName: json["nameComponents"]?["familyName"]?.string ?? json["lastName"]?.string)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("userRecordName", userRecordName)
      $0.key("nameComponents")
      $0.object {
        $0.member("givenName", givenName)
        $0.member("familyName", familyName)
      }
      $0.key("lookupInfo")
      $0.object { $0.member("userRecordName", userRecordName) }
    }
  }
}

extension UsersResponse: WireReadable, WireWritable {
  package init(from reader: inout JSONReader) throws(MalformedMessage) {
    let json = try reader.readValue()
    if let identity = UserIdentity(json) {
      self.init([identity])
    } else {
      self.init((json["users"]?.array ?? []).compactMap { UserIdentity($0) })
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { $0.member("users", users) }
  }
}
