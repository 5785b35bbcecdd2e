package dev.isogrid.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Elements of a long array of JSON, such as the keys of a cache, one at a time: only one is in
 * memory. Not thread-safe.
 */
final class KeyListing implements AutoCloseable {
  private final RestConnection connection;
  private final InputStream body;
  private final JsonParser parser;
  private boolean isBegun;

  /** Sends the request. */
  KeyListing(RestConnection connection, RestRequest request) {
    this.connection = connection;
    this.body = connection.stream(request);
    try {
      parser = JsonText.parser(body);
    } catch (IOException e) {
      throw connection.broken(e);
    }
  }

  /** All keys of a cache, or the first ones. */
  static KeyListing keys(RestConnection connection, String cache, long limit) {
    return new KeyListing(
        connection,
        RestRequest.get("caches", cache)
            .query("action", "keys")
            .query("limit", String.valueOf(limit)));
  }

  /**
   * Moves to the next element.
   *
   * @return whether there is one
   */
  boolean next() {
    try {
      if (!isBegun) {
        isBegun = true;
        if (parser.nextToken() != JsonToken.START_ARRAY) {
          throw new IOException("the answer is no array");
        }
      }
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw new IOException("the answer ended early");
      }
      return token != JsonToken.END_ARRAY;
    } catch (IOException e) {
      throw connection.broken(e);
    }
  }

  /** The present element, read in full. */
  @Nullable Object element() {
    try {
      return JsonText.read(parser);
    } catch (IOException e) {
      throw connection.broken(e);
    }
  }

  /** The present element as text. */
  String text() {
    Object element = element();
    return element instanceof String text ? text : JsonText.line(element);
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException e) {
      throw connection.broken(e);
    }
  }
}
