// A store that the service of the first version wrote: one user, his tokens, a zone, three records.

import CloudKitWire
import Foundation
import RecordService
import Testing

struct FirstVersionTests {
  @Test func `a store of the first version opens with all that is in it`() async throws {
    let folder = NSTemporaryDirectory() + "skyros-first-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/service.sqlite"
    let file = try Gzip.expand(#require(Base64.decode(Self.packed)), max: 1_000_000)
    try Data(file).write(to: URL(filePath: path))

    // Twice: the second time there is nothing left to do.
    for _ in 0..<2 {
      let service = try await RecordService.open(
        path: path,
        surroundings: ServiceBench.surroundings(seed: 5) { 1_795_288_100_000 })
      func ask(_ action: String, _ body: String) async throws -> JSONValue {
        let target = "/database/1/iCloud.org.example/production/private/\(action)?\(Self.tokens)"
        return try await service.respond(
          to: ServiceRequest("POST", target, body: Array(body.utf8))
        ).json
      }
      let feed = try await ask("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#)
      let records = feed["zones"]?.array?[0]["records"]?.array ?? []
      #expect(records.compactMap(\.name) == ["n0", "n1", "n2"])
      #expect(records.compactMap(\.tag) == ["1", "2", "3"])
      #expect(records.last?.field("title") == .string("Title 2"))
      // What it made has no owner that it knew of.
      #expect(try await service.apiTokens().map(\.user) == [nil])
      try await service.close()
    }
  }

  private static let tokens =
    "ckAPIToken=7b6781e8957c14c5e37cb3ee8a34a2cb93673032260884d02348a68ee23c5f17"
    + "&ckWebAuthToken=69391979a08f8c6e.koJYikc8j4sKSxcahrD2iWnEV0Nd8mTcNeM0CrU9Qbs"

  /// The file, gzip in base64.
  private static let packed = """
    H4sIAAAAAAACA+0da2wjxXm+9SubI+RyObPkQi4bB3Mxce68dvw6xCPcGQgXYi4kHNeXu16PgznHG/y4u/R6qpwDCdRW
    lapKffypaFUJFdR/lapWKlKFUFu1IEpFKyrUqlBVVemDtqKiSG1ndtbOrl/xwQGX837ZnZ3XfjO733zffN/Mt859xxdy
    ZSxm1eKaXBZDiEMA6DZRRAg5yXkYbcEBctoNadDPTuBEBxVwkMgAPEPTUXgH3oI34Q34I/weXoVfw0vwPPwEnmXFFlw8
    SDeQYNpDghvGSDA5QgJRIMGYmwSjwyQY2UMCYYgEewZJMLiLBDxPApejnxIRXkbksOCKAZ9tZKGElSIuf/+Fs0+gR1/f
    X8hzd4w8+/Gnnj6OlaWfPXnueTVy7NBnv3XzgEb/fyJyWNAbsAvZkPO1m7745vlTLz3G6P8CIocFOx8Okcl2OOmQC4WU
    FM6Gw+GAosRCUSU+G49FIqFIPJ1Ny5mwnJZj8MT/qnt+zuT/24gcFvQSOG3DPBkmjP6/QeSw4MqC621JflspMIDeRA50
    C4In4Ri6BTzobTjSfRPVgM0luN2weaQsp/O4UsJFetqPLCXmlhPi8tztCwmR5ohT/aJYqKylSXR+cTlxZ2JJvHdp/p65
    pZPiscRJcW5lOTm/SG67J7G47BcL8hoWlxMPLIuLSXKuLCyIK4vzx1cSfoKmiBW1mEm1ryMSxUcu40yKWDS1xmp1fKTX
    fZo143AKN7kB5QoZfLb0cJ5YQSm5Ula1dIr2ORWkofOAfduKEg0dH+VcgiBA1a29C7yuKg9qgc30NrQscar9u/CLuUxz
    t+8H7UVXBzXka7gs05MzoaY54tQpvMFeiwnnaTlfweLc4kmfeGJ++a7kyrK4lDwxf5TO/zb4LYJ/w5/IxYIrC/psNjd8
    Si1g7irONgYZmQwfuYQ5F9jcPB21A7BMjPoZBB9DMzCB/govwovt2f0Wl0sYH4fNY9oolNdzqbJ6ChfqkX7TeKxna9xP
    RnXzsMzkVnGp3I6N1UJZzhUIm5jKqQzAhdO5olpYw4WGmzszv8Q7hcR4O16u9zcVrEevkvq6u0WqR3fBd5iIudfpFKan
    4aT2svRbS/jhCi4ojck+04trKJyios5PUlR4LV3aAcL0/8cROSz4MKECLm91QJpwhCJSTJkNzAaiGcUYD8gxaTY2m5Zx
    JJ0OBZV4JiSlY9HsbCYWkeLBQBTLZE4PByJRKRifjUSzYRzMHcmrlcxBtbh6EJ+V19bzeL2oZipKOacWqP4/fJrpf39H
    5LCgB2DQ5uWNo4rR/weIHBbsLDhqrw7w71VCMPkfQ+Sw4CKgmuAGZnhpojpQHUB9DkckHopL8WhcDsSyMSWCO0nedCij
    xCJZLEuEOFmMg/GgJFGyZGNyOhwLBzOBSFYO4HgmKoXTaSUYi8gRKSMF0hElkAkGw4FAXMpmZ+UYTuNgRg7SW9PEtFNi
    gWAmlAnHSUqanU2HQmFJiSiRcCRE0AUikWwgGghrKz/DF+Abd35t9ALj/z8jclhwZcNe2ww0DlOO8j+HnkLoFRLkyd/7
    C7e+h3tndjmFudF2mngJl0qEt1KSHrl6c7LfJYyOwiNjTP9m2fplwKxvs8z2Zoq2hNFoTbxrA6VSLLbILuCzLM8vrhfx
    6ZxaKbEkwVbLSFUK5Vy+RU+Karmd0eMX8dn1XBGXWlpElP5kAFjQo9Bv0b+ngfK/HRH9L4z+ix4mkbe2veXzNIgOOoVj
    3rbCOLdaSOUKKUXNYCKRDam91f6rXYLXC9UTTCwbyozxYbOANpRoUtq4btSNpG4tN33hAacwP9npKXKF1dQpvMEeQk8M
    Ve+6yiVMTsLm1jPoRYbo7qYn0AvaTzPt5hNxHa81ZhkftOOqeOcVMUv+W/Lfon9vy38OvongFySw4HKEGY5H0sQoD319
    nVYV1ou500TMc36g1Uf6tqteSedzCtev0f9pBL8igQWXNdzo5Mk4gG4GwZSzj4wBfvsBwOz/VYS+QoIUwKXvtbYVdmjI
    KRwZa6do1bYlU1Itds0m3u0SxsbgUWa91/JrV7dJuarlXqSXwbsz30uKut6kYqlnCq30ToKptonXVCgeTdwxt7KwLAb8
    1P16VS2XcaFTLYIsm1fV4jZ12O6pOKV1yfCQfuND6Y/h8zH5/yyC35HAgh0J+4gUBwH6AHEOblEt45KNQ3+hq7x7P70f
    +hHv5UkZOFIZnJUr+fJHqD8Ax1aBtfV/9Bwixw935MNr4mUzukdzj3nkuCYtqMMDPa81SQmac5ESoi5Ymi3KFoZWJ27v
    nseVB+XCKs60wJDBeWy24/xieoOQezuMHew/+m0GwDv0JR5mFwt6B+Ic4/8KIsfaB8auF/qGXcLICDx6SmNXtnTBwn0m
    lmV5GtNq3NsVG4rljeYJuj1jEtxlebUVw+ZwPlNqRPSgXErJpRIul1rcsi7XV/a3YbytVZn0RmMTa2omRxpvfR9BWy9v
    vlUXES2aay0ofEz/fxnBG9YXQFcOuB3gFkY0XaCcK+fxfctL84t3DpNct6DlFuXCKTIWIrNM//8ygptJ8IXLZkKvTrq1
    zbtNpv6vE0OBdFq/7DfJCD2zk5AoqZWi0iQSNP5ukh1ycRWXmyd2WbOZzPm+6m17XcLERM0fUkOYotJnK3adqa9b+Z26
    20p+tensanNPjerMFG2BIdRR+Fr4/1rrf729/mfRv8fXf9FPESyR4Ec79CHYlOEQNKWyiplzeqF0hk5zNJwwu6VreZoA
    bv2tRFrNbIi3LyRv73IPzSxRq9PXMCd5L+sH1RXpZyL1yLi5N7XsTjOCrgd3Mye08qin00IH/c/i/94Fi/6W/OeQF8EU
    CcbaLa+hEU0bv8D8HRSiTudwUb9cbxJnemaTk4ZBGa+kS0oxl272crjk3/s0qcOsR8Y+tFsgb9STqyvXam4rm2vM5YMh
    WKdGgTHuMTt9GErYG2m/ntj+teQyze/joVKjMeJveFK9JfOz5pr0f4v/Lf636N/b9LejFQQJ9DZ6kkQuBRwfcwpeN5zR
    dnepSpvSNzVo3KeLyPnFo4kHRGOpmFzUN2m2pJde5Ete5xTG3bCxhZKu/NLIlI5P3/c0oNXWhlvgpPm+u0dJH0dBYTvS
    uvM4darT4wdM3TRWoCjrHuM0w1eN7WOTQ0ibHApqOZfNKTIV+8a41zQ5GEsudluq5cS6Lm/kVbnFZNHJdmHff7yDrL2f
    ngO7jQfd/+c1BH8jgQVXIuyygwDML4Dbbee9vNEPgNH/Hwj+QwILegBcdgDgOM5h54HX+N8OzyB4BV6EH1u/wrjTVj7t
    MARcIWjXI5JNjwQ4r53v6vd/EHKg/QhuRa+i0/AlEjXA/R6n4BvVFTl9oy3FdtP01CGTmmSuQhWl+u4c24liBT4suoTJ
    EaiOaoj1TxfoLhWLzpiQGoopxppPgHFrS9PoxBN3JZYS9S3wm8XAJ8ddwjRphjc2U/MEYEl/K+2xoWZzq7US3337nfRB
    NowN0M6w6I0dkNeUUzNi7UEemnAJM01vR11Ll8qkEksfbPmKanWMiA3eBM2vSGL8/zrR/+Bf8AaJWHCFSnybXZf8Nqcd
    iObH2e08zzP6fxvBL+E5+B6JWHC5WuoOcA8xPY7Ie2NKshlTAW7awQtJfoXastvKf2v9r7fBor9Ff4v+PTyr0PkffRXB
    14kF8AcS8bSodOZD6NjdNziFiRHIaTowc9lIyau6W8esSfvdKqV6b829Y2vV0/eA1ynMjEOJ4ao5XKTYMmo9HTIjbaim
    od7y1WCZvk9cr2H+TANmpnvX08E2mHUV3YyZGQKsyJeadFEDrOoyWWDMSVFPBVpaYLofY7MFxgr8ukOj5f9hyX+L/hb9
    LbDob4FFfwt6UP+3oe8ieBz2kcvOAMXnEma8UAVNKzY6UlAjwJiOmZTjxppUPTa7YRiMhrUplxAijQw2N8KUf2NWpH07
    W+aDuamaLyJz+/BVDrgEiWj601pzuhtlast5T88JmxpqrkbbqftgduHmaPG/xf8cegbBGbQT936rYW43DLl5vjrdhxxJ
    R7KP7n3SdfBzHvqNo+fwOY/2ry88hwN+D90s9Bz2aB8+es6TNP020lDFs0wzxICnXpV9OOk5f57+WsIo7uqfKnVRLVl1
    wiCfFHh+qNbtbe/R1vPPnWc/29BVR7qopv/+6+cQ3EGCD5uYUTslJoCRmEFKTJutiZzBrskZ/ADIGbU191yiPee4pp5L
    Xfdcev97/n9SugviAHQAAA==
    """.filter { !$0.isWhitespace }
}
