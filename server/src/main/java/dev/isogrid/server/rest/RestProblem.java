package dev.isogrid.server.rest;

import dev.isogrid.server.net.IgnoredCaches;
import io.netty.handler.codec.http.HttpResponseStatus;

/** A request that is answered with an error status and a sentence. Has no stack trace. */
final class RestProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient HttpResponseStatus status;

  RestProblem(HttpResponseStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  static RestProblem badRequest(String message) {
    return new RestProblem(HttpResponseStatus.BAD_REQUEST, message);
  }

  static RestProblem noSuchCache(String name) {
    return new RestProblem(
        HttpResponseStatus.NOT_FOUND,
        "ISPN012010: cache not found: name=%s; create it first".formatted(name));
  }

  static RestProblem notAcceptable(String accept, String actual) {
    return new RestProblem(
        HttpResponseStatus.NOT_ACCEPTABLE,
        "ISPN012007: no acceptable media type: accept=%s, actual=%s; accept that or */*"
            .formatted(accept, actual));
  }

  /** The refusal of a write because memory or a bound is full. */
  static RestProblem full(String message) {
    return new RestProblem(HttpResponseStatus.INSUFFICIENT_STORAGE, message);
  }

  /** The refusal of a request that this server can't serve now. */
  static RestProblem unavailable(String message) {
    return new RestProblem(HttpResponseStatus.SERVICE_UNAVAILABLE, message);
  }

  /** The refusal of a request for the entries of a cache that servers ignore. */
  static RestProblem ignored(String cache) {
    return unavailable("ISPN012008: " + IgnoredCaches.message(cache));
  }

  /** The refusal of a request for lack of memory. */
  static RestProblem noMemory() {
    return new RestProblem(
        HttpResponseStatus.SERVICE_UNAVAILABLE,
        "out of memory for requests; try again later, or let the server have a larger"
            + " --request-memory-max");
  }

  HttpResponseStatus status() {
    return status;
  }

  /** The text for the client. */
  String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
