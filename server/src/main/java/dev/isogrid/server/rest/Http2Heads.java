package dev.isogrid.server.rest;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Converts heads of requests and replies between HTTP/1.1 and HTTP/2. The handling of requests
 * knows only HTTP/1.1, so that there is one of it.
 */
final class Http2Heads {
  private static final AsciiString HTTP = AsciiString.cached("http");
  private static final HttpMethod NO_METHOD = HttpMethod.valueOf("MALFORMED");

  /** The position of the status in {@code HTTP/1.1 200 OK}. */
  private static final int STATUS_START = 9;

  private static final int STATUS_END = 12;

  private Http2Heads() {}

  /** The request is malformed. */
  private static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Malformed(String what) {
      super(what);
    }
  }

  /**
   * The head of a request in the form of HTTP/1.1. A malformed one has a failure, as from a reader
   * of HTTP/1.1.
   */
  static HttpRequest request(Http2Headers head) {
    try {
      return tryRequest(head);
    } catch (TooLongHttpLineException | TooLongHttpHeaderException tooLong) {
      return failed(tooLong);
    } catch (Malformed | IllegalArgumentException wrong) {
      return failed(wrong);
    }
  }

  private static HttpRequest failed(RuntimeException failure) {
    HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, NO_METHOD, "/");
    request.setDecoderResult(DecoderResult.failure(failure));
    return request;
  }

  private static HttpRequest tryRequest(Http2Headers head) {
    CharSequence method = present(head.method(), ":method");
    CharSequence path = present(head.path(), ":path");
    present(head.scheme(), ":scheme");
    if (path.length() > RequestReader.REQUEST_LINE_SIZE_MAX) {
      throw new TooLongHttpLineException("path of " + path.length() + " bytes");
    }
    if (!path.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new Malformed(":path has characters that must be escaped");
    }
    HttpHeaders headers = new DefaultHttpHeaders(); // which refuses line ends in values
    CharSequence authority = head.authority();
    if (authority != null) {
      headers.set(HttpHeaderNames.HOST, authority);
    }
    int count = 0;
    for (Map.Entry<CharSequence, CharSequence> field : head) {
      if (Http2Headers.PseudoHeaderName.hasPseudoHeaderFormat(field.getKey())) {
        continue;
      }
      count++;
      if (count > RequestReader.HEADER_FIELDS_MAX) {
        throw new TooLongHttpHeaderException(
            "more than " + RequestReader.HEADER_FIELDS_MAX + " fields");
      }
      if (authority != null && HttpHeaderNames.HOST.contentEquals(field.getKey())) {
        if (!authority.toString().equalsIgnoreCase(field.getValue().toString())) {
          throw new Malformed("host differs from :authority");
        }
        continue;
      }
      headers.add(field.getKey(), field.getValue());
    }
    return new DefaultHttpRequest(
        HttpVersion.HTTP_1_1, HttpMethod.valueOf(method.toString()), path.toString(), headers);
  }

  private static CharSequence present(CharSequence value, String name) {
    if (value == null || value.isEmpty()) {
      throw new Malformed("no " + name);
    }
    return value;
  }

  /** The head of a request from HTTP/1.1, without fields about its connection. */
  static Http2Headers ofUpgraded(HttpRequest request) {
    Http2Headers head =
        new DefaultHttp2Headers(false)
            .method(request.method().asciiName())
            .scheme(HTTP)
            .path(request.uri());
    String host = request.headers().get(HttpHeaderNames.HOST);
    if (host != null) {
      head.authority(host);
    }
    for (Map.Entry<String, String> field : request.headers()) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      if (!HttpHeaderNames.HOST.contentEquals(name)) {
        head.add(name, field.getValue());
      }
    }
    return head;
  }

  /**
   * Parses the head of a reply in the form of HTTP/1.1, as {@link Reply} writes it: always
   * complete.
   *
   * @param bytes read up to the end of the head
   */
  static Http2Headers reply(ByteBuf bytes) {
    AsciiString line = line(bytes);
    Http2Headers head =
        new DefaultHttp2Headers(false).status(line.subSequence(STATUS_START, STATUS_END));
    for (line = line(bytes); !line.isEmpty(); line = line(bytes)) {
      int colon = line.indexOf(':', 0);
      AsciiString name = line.subSequence(0, colon).toLowerCase();
      if (!HttpHeaderNames.CONNECTION.contentEquals(name)) {
        head.add(name, line.subSequence(colon + 2));
      }
    }
    return head;
  }

  private static AsciiString line(ByteBuf bytes) {
    int length = bytes.bytesBefore((byte) '\r');
    if (length < 0) {
      throw new IllegalStateException(
          "a reply's head is not whole: " + bytes.toString(StandardCharsets.US_ASCII));
    }
    byte[] line = new byte[length];
    bytes.readBytes(line).skipBytes(2);
    return new AsciiString(line, false);
  }
}
