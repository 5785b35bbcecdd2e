package dev.isogrid.server.rest;

import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/** The methods of HTTP that this endpoint knows. */
enum Verb {
  GET,
  HEAD,
  PUT,
  POST,
  DELETE,
  OPTIONS;

  /** The verb of a method, or null if it is unknown. */
  static @Nullable Verb of(HttpMethod method) {
    return switch (method.name()) {
      case "GET" -> GET;
      case "HEAD" -> HEAD;
      case "PUT" -> PUT;
      case "POST" -> POST;
      case "DELETE" -> DELETE;
      case "OPTIONS" -> OPTIONS;
      default -> null;
    };
  }
}
