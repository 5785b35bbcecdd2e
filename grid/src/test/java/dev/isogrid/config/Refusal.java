package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import org.junit.jupiter.api.function.Executable;

/** Checks refusals. */
final class Refusal {
  private Refusal() {}

  /** Checks that a call is refused, with a message that has these parts. */
  static void expect(Executable call, String... parts) {
    String message = String.valueOf(assertThrows(InvalidRequestException.class, call).getMessage());
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "\"" + part + "\" not in: " + message);
    }
    assertTrue(message.lines().count() == 1, () -> "more than one line: " + message);
  }

  /** Checks that a document of a cache is refused, with a message that has these parts. */
  static void ofCache(String document, String... parts) {
    expect(() -> CacheDocument.read(document, null, ReadContext.empty()), parts);
  }

  /** Checks that a document of a server is refused, with a message that has these parts. */
  static void ofServer(String document, String... parts) {
    expect(() -> ServerDocument.read(document, null, ReadContext.empty()), parts);
  }
}
