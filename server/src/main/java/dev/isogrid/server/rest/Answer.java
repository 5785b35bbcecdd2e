package dev.isogrid.server.rest;

import dev.isogrid.wire.MediaTypes;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.file.Path;
import java.util.Set;

/** The answer to an administrative request. */
sealed interface Answer {
  /** An answer without a body. */
  record Empty(HttpResponseStatus status) implements Answer {}

  /** An answer with a text. */
  record Text(HttpResponseStatus status, String contentType, String text) implements Answer {}

  /** An answer with bytes of no known form. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Octets(byte[] bytes) implements Answer {}

  /** An answer with a plain text that caches on the way must not keep, since it changes. */
  record Passing(String text) implements Answer {}

  /** The refusal of a method on a path with other methods. */
  record NotAllowed(Set<Verb> allowed) implements Answer {
    public NotAllowed {
      allowed = Set.copyOf(allowed);
    }
  }

  /** An answer that is streamed. */
  record Streamed(Listing listing) implements Answer {}

  /**
   * An answer whose body is an archive.
   *
   * @param file read part by part
   */
  record Archive(Path file) implements Answer {}

  /** A stream of events that ends with the connection. Code that drops it closes the feed. */
  record Events(EventFeed feed) implements Answer {}

  /** The status, for logs. */
  default int statusCode() {
    return switch (this) {
      case Empty(HttpResponseStatus status) -> status.code();
      case Text(HttpResponseStatus status, String _, String _) -> status.code();
      case NotAllowed _ -> HttpResponseStatus.METHOD_NOT_ALLOWED.code();
      case Octets _, Passing _, Streamed _, Archive _, Events _ -> HttpResponseStatus.OK.code();
    };
  }

  static Answer ok() {
    return new Empty(HttpResponseStatus.OK);
  }

  static Answer noContent() {
    return new Empty(HttpResponseStatus.NO_CONTENT);
  }

  static Answer notFound() {
    return new Empty(HttpResponseStatus.NOT_FOUND);
  }

  static Answer json(Json json) {
    return new Text(HttpResponseStatus.OK, MediaTypes.JSON, json.toString());
  }

  static Answer json(HttpResponseStatus status, Json json) {
    return new Text(status, MediaTypes.JSON, json.toString());
  }

  static Answer plain(String text) {
    return new Text(HttpResponseStatus.OK, MediaTypes.TEXT_PLAIN, text);
  }
}
