package dev.isogrid.cli;

import java.io.FileNotFoundException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request of REST, made step by step. Not thread-safe.
 *
 * <pre>{@code
 * RestRequest.get("caches", name).query("action", "stats")
 * }</pre>
 */
final class RestRequest {
  static final String ROOT = "/rest/v2";
  private static final String UNRESERVED =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

  private final String method;
  private final StringBuilder path;
  private final List<String> headers = new ArrayList<>();
  private boolean hasQuery;
  private byte @Nullable [] body;
  private @Nullable BodyPublisher form;

  private RestRequest(String method, String path) {
    this.method = method;
    this.path = new StringBuilder(path);
  }

  private static RestRequest of(String method, String... segments) {
    RestRequest request = new RestRequest(method, ROOT);
    for (String segment : segments) {
      request.segment(segment.getBytes(StandardCharsets.UTF_8));
    }
    return request;
  }

  /** A GET of the path of these segments, which are not encoded yet and not empty. */
  static RestRequest get(String... segments) {
    return of("GET", segments);
  }

  /** A HEAD. */
  static RestRequest head(String... segments) {
    return of("HEAD", segments);
  }

  /** A PUT. */
  static RestRequest put(String... segments) {
    return of("PUT", segments);
  }

  /** A POST. */
  static RestRequest post(String... segments) {
    return of("POST", segments);
  }

  /** A DELETE. */
  static RestRequest delete(String... segments) {
    return of("DELETE", segments);
  }

  /** A GET of a path outside of {@value #ROOT}. */
  static RestRequest outside(String path) {
    return new RestRequest("GET", path);
  }

  /** The characters of the path so far. */
  int pathLength() {
    return path.length();
  }

  /**
   * Adds a segment of any bytes, as they are.
   *
   * @throws UsageFailure if there are none: servers pass over such a segment, so that the request
   *     would be for the cache in place of its entry
   */
  RestRequest segment(byte[] bytes) {
    if (bytes.length == 0) {
      throw new UsageFailure(
          "a name or a key is empty: path=%s/; give one, and a key without any bytes as --hex 0x"
              .formatted(path));
    }
    path.append('/');
    boolean isDots = true;
    for (byte each : bytes) {
      isDots &= each == '.';
    }
    for (byte each : bytes) {
      if (!isDots && UNRESERVED.indexOf(each) >= 0) {
        path.append((char) each);
      } else {
        path.append("%%%02X".formatted(each & 0xff));
      }
    }
    return this;
  }

  /** Adds a parameter. */
  RestRequest query(String name, String value) {
    path.append(hasQuery ? '&' : '?').append(name).append('=');
    path.append(URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    hasQuery = true;
    return this;
  }

  /** Adds a parameter unless its value is null. */
  RestRequest queryIfThere(String name, @Nullable String value) {
    return value == null ? this : query(name, value);
  }

  /** Adds a header. */
  RestRequest header(String name, String value) {
    headers.add(name);
    headers.add(value);
    return this;
  }

  /** Adds a header unless its value is null. */
  RestRequest headerIfThere(String name, @Nullable String value) {
    return value == null ? this : header(name, value);
  }

  /** Sets the body, which is borrowed until the request is answered. */
  RestRequest body(byte[] bytes) {
    body = bytes;
    return this;
  }

  /** Sets the body to a text. */
  RestRequest body(String text) {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Sets the body to a form with a file, which is read when the request is sent.
   *
   * @param name of the part that is the file
   * @param field the name of a part that is a text
   * @param text its content
   * @throws FileNotFoundException if there is no such file
   */
  RestRequest form(String name, Path file, String field, String text) throws FileNotFoundException {
    String boundary = "isogrid-" + UUID.randomUUID();
    String start = "--%s\r\nContent-Disposition: form-data; name=\"%s\"";
    String before =
        (start + "\r\n\r\n%s\r\n").formatted(boundary, field, text)
            + (start + "; filename=\"%s\"\r\n\r\n").formatted(boundary, name, "archive.zip");
    form =
        BodyPublishers.concat(
            BodyPublishers.ofString(before),
            BodyPublishers.ofFile(file),
            BodyPublishers.ofString("\r\n--%s--\r\n".formatted(boundary)));
    return header("Content-Type", "multipart/form-data; boundary=" + boundary);
  }

  /** Whether the server should be asked before the body is sent. */
  boolean isLarge() {
    return form != null;
  }

  String method() {
    return method;
  }

  /** Path and parameters, encoded, as the first line of the request has them. */
  String target() {
    return path.toString();
  }

  /** Names and values of headers in turn. */
  List<String> headers() {
    return headers;
  }

  BodyPublisher publisher() {
    BodyPublisher large = form;
    if (large != null) {
      return large;
    }
    byte[] bytes = body;
    return bytes == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(bytes);
  }
}
