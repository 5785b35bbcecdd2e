package dev.isogrid.server.rest;

import dev.isogrid.wire.MediaTypes;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for the files of the web console, below {@code /console}. No login is needed:
 * the files have no figures. For one connection, as {@link RestDispatch}.
 */
final class ConsoleResource {
  /** The first segment of the paths. */
  static final String PATH = "console";

  private static final AsciiString ALLOW = AsciiString.cached("Allow: GET, HEAD\r\n");
  private static final AsciiString LOCATION = AsciiString.cached("Location: console/\r\n");
  private static final AsciiString TAG = AsciiString.cached("ETag: ");
  private static final AsciiString GZIP = AsciiString.cached("Content-Encoding: gzip\r\n");

  /**
   * A browser asks each time whether a file is still the same, so that an upgrade shows at once.
   */
  private static final AsciiString CACHED =
      AsciiString.cached("Cache-Control: no-cache\r\nVary: Accept-Encoding\r\n");

  private final ConsoleFiles files;
  private final RequestTarget target;
  private final RequestHeaders headers;
  private final Reply reply;

  ConsoleResource(ConsoleFiles files, RequestTarget target, RequestHeaders headers, Reply reply) {
    this.files = files;
    this.target = target;
    this.headers = headers;
    this.reply = reply;
  }

  /** Whether {@link #answer} reads files first. */
  boolean mustWait() {
    return !files.isRead();
  }

  /**
   * Answers a request.
   *
   * @param verb its method
   * @param uri its target
   */
  void answer(Verb verb, String uri) {
    reply.toConsole();
    if (verb != Verb.GET && verb != Verb.HEAD) {
      reply
          .begin(HttpResponseStatus.METHOD_NOT_ALLOWED)
          .headers(ALLOW)
          .text(MediaTypes.TEXT_PLAIN, "Not allowed");
      return;
    }
    int count = target.count();
    ConsoleFiles.File file =
        count > 2 ? null : files.find(count == 1 ? ConsoleFiles.START_PAGE : target.text(1));
    if (file == null) {
      reply
          .begin(HttpResponseStatus.NOT_FOUND)
          .text(
              MediaTypes.TEXT_PLAIN,
              "no such file of the console; /console/ is its start, if isogrid-console is on the"
                  + " class path");
    } else if (count == 1 && !hasSlash(uri)) {
      reply.begin(HttpResponseStatus.MOVED_PERMANENTLY).headers(LOCATION).empty();
    } else {
      send(file);
    }
  }

  /**
   * Whether the path ends with a slash. Without it, the names in the page would be relative to the
   * parent folder.
   */
  private static boolean hasSlash(String uri) {
    int query = uri.indexOf('?');
    return (query < 0 ? uri : uri.substring(0, query)).endsWith("/");
  }

  private void send(ConsoleFiles.File file) {
    byte[] gzipped = acceptsGzip(headers.acceptEncoding) ? file.gzipped() : null;
    String tag = '"' + file.tag() + (gzipped == null ? "" : "-gzip") + '"';
    if (headers.ifNoneMatch != null && headers.ifNoneMatch.contains(tag)) {
      reply.begin(HttpResponseStatus.NOT_MODIFIED).headers(CACHED).header(TAG, tag).bodiless();
      return;
    }
    reply.begin(HttpResponseStatus.OK).headers(CACHED).header(TAG, tag);
    if (gzipped != null) {
      reply.headers(GZIP);
    }
    reply.bytes(file.contentType(), gzipped == null ? file.bytes() : gzipped);
  }

  /** Whether a client accepts gzip, also with a lower weight than others. */
  private static boolean acceptsGzip(@Nullable String acceptEncoding) {
    if (acceptEncoding == null) {
      return false;
    }
    for (String range : acceptEncoding.split(",", -1)) {
      String plain = range.replace(" ", "").toLowerCase(Locale.ROOT);
      if (plain.equals("gzip") || (plain.startsWith("gzip;q=") && !isZero(plain.substring(7)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isZero(String quality) {
    return quality.chars().allMatch(c -> c == '0' || c == '.');
  }
}
