package dev.isogrid.server.rest;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A received response; names of header fields in lower case. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TestResponse(int status, Map<String, String> headers, byte[] body) {
  @Nullable String header(String lowerCaseName) {
    return headers.get(lowerCaseName);
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** A header field, or "" if there is none. */
  String field(String lowerCaseName) {
    return headers.getOrDefault(lowerCaseName, "");
  }

  String etag() {
    return field("etag");
  }
}
