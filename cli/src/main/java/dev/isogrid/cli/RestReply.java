package dev.isogrid.cli;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The answer to a request, in full. */
final class RestReply {
  private static final int ACCEPTED = 202;

  private final int status;
  private final byte[] body;
  private final UnaryOperator<@Nullable String> headers;

  /**
   * Creates an answer.
   *
   * @param status its number
   * @param body owned by this
   * @param headers gives the value of a header, or null
   */
  RestReply(int status, byte[] body, UnaryOperator<@Nullable String> headers) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }

  /** Whether the server still works on what was asked for. */
  boolean isUnderWay() {
    return status == ACCEPTED;
  }

  /** The bytes; borrowed. */
  byte[] bytes() {
    return body;
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The body as JSON. */
  @Nullable Object json() {
    return body.length == 0 ? null : JsonText.parse(text());
  }

  /** The body as an object of JSON; empty if it is none. */
  Map<?, ?> object() {
    return JsonText.object(json());
  }

  /** The value of a header, or null. */
  @Nullable String header(String name) {
    return headers.apply(name);
  }
}
