package dev.isogrid.server.rest;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The path and the query of a request, split into segments once, and decoded on demand. A plus is a
 * blank in both, as clients of Infinispan send it. Doubled slashes and a slash at the end make no
 * segments. Reusable; not thread-safe.
 */
final class RequestTarget {
  /** The most segments; no path of this endpoint is as deep. */
  private static final int SEGMENTS_MAX = 16;

  /** The most parameters: more than any request needs, so that a query can't fill a map. */
  private static final int PARAMETERS_MAX = 64;

  private final int[] starts = new int[SEGMENTS_MAX];
  private final int[] ends = new int[SEGMENTS_MAX];

  /** Whether a segment needs no decoding: ASCII without escapes and blanks. */
  private final boolean[] plain = new boolean[SEGMENTS_MAX];

  private String uri = "";
  private int count;

  /** The number of segments before the last empty one, or -1 if none is empty. */
  private int lastEmpty;

  private int queryStart;

  /**
   * Reads the target of a request line.
   *
   * @param text a path with an optional query, or an absolute address
   * @throws RestProblem if it is neither
   */
  void parse(String text) {
    uri = text;
    count = 0;
    lastEmpty = -1;
    int at = pathStart(text);
    int length = text.length();
    int segmentStart = at + 1;
    boolean segmentIsPlain = true;
    for (at = segmentStart; ; at++) {
      char c = at < length ? text.charAt(at) : '?';
      if (c != '/' && c != '?' && c != '#') {
        segmentIsPlain &= c != '%' && c != '+' && c < 0x80;
        continue;
      }
      if (at > segmentStart) {
        addSegment(segmentStart, at, segmentIsPlain);
      } else {
        lastEmpty = count;
      }
      segmentStart = at + 1;
      segmentIsPlain = true;
      if (c != '/') {
        break;
      }
    }
    queryStart = Math.min(at + 1, length);
  }

  private void addSegment(int start, int end, boolean isPlain) {
    if (count == SEGMENTS_MAX) {
      throw new RestProblem(HttpResponseStatus.NOT_FOUND, "Resource not found");
    }
    starts[count] = start;
    ends[count] = end;
    plain[count] = isPlain;
    count++;
  }

  private static int pathStart(String text) {
    if (text.startsWith("/")) {
      return 0;
    }
    boolean absolute =
        text.regionMatches(true, 0, "http://", 0, 7)
            || text.regionMatches(true, 0, "https://", 0, 8);
    if (!absolute) {
      throw RestProblem.badRequest("malformed request target; a path is expected");
    }
    int slash = text.indexOf('/', text.indexOf("//") + 2);
    return slash < 0 ? text.length() : slash;
  }

  /** The number of segments. */
  int count() {
    return count;
  }

  /** Whether there is a doubled slash or one at the end, behind some segments. */
  boolean hasEmptyBehind(int segments) {
    return lastEmpty >= segments;
  }

  /** Whether a segment, decoded, is a text. */
  boolean is(int index, String text) {
    if (!plain[index]) {
      return text(index).equals(text);
    }
    return ends[index] - starts[index] == text.length() && uri.startsWith(text, starts[index]);
  }

  /** The most bytes of a decoded segment. */
  int lengthMax(int index) {
    return ends[index] - starts[index];
  }

  /**
   * Decodes a segment.
   *
   * @param target room for {@link #lengthMax} bytes
   * @return the number of bytes
   * @throws RestProblem if an escape is malformed
   */
  int decode(int index, byte[] target) {
    return decode(starts[index], ends[index], target);
  }

  private int decode(int start, int end, byte[] target) {
    int length = 0;
    for (int at = start; at < end; at++) {
      char c = uri.charAt(at);
      if (c == '%') {
        if (at + 2 >= end) {
          throw malformedEscape();
        }
        int high = Character.digit(uri.charAt(at + 1), 16);
        int low = Character.digit(uri.charAt(at + 2), 16);
        if ((high | low) < 0) {
          throw malformedEscape();
        }
        c = (char) (high << 4 | low);
        at += 2;
      } else if (c == '+') {
        c = ' ';
      }
      target[length++] = (byte) c; // the decoder makes one character of each byte
    }
    return length;
  }

  private static RestProblem malformedEscape() {
    return RestProblem.badRequest("malformed escape in the request target; % needs two hex digits");
  }

  /**
   * A segment as text.
   *
   * @throws RestProblem if it is not UTF-8
   */
  String text(int index) {
    return text(starts[index], ends[index]);
  }

  private String text(int start, int end) {
    byte[] decoded = new byte[end - start];
    int length = decode(start, end, decoded);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw RestProblem.badRequest("malformed request target; escapes must be UTF-8");
    }
  }

  /** All segments as text. */
  List<String> segments() {
    List<String> segments = new ArrayList<>(count);
    for (int index = 0; index < count; index++) {
      segments.add(text(index));
    }
    return segments;
  }

  /** Whether there is a query that is not empty. */
  boolean hasQuery() {
    return queryStart < uri.length();
  }

  /**
   * The parameters of the query, the first of those with the same name; a missing value is "".
   *
   * @throws RestProblem if it is malformed or has too many
   */
  Map<String, String> parameters() {
    if (!hasQuery()) {
      return Map.of();
    }
    Map<String, String> first = new LinkedHashMap<>();
    readQuery(first, first::putIfAbsent);
    return first;
  }

  /**
   * All values of each parameter of the query, in their order; a missing value is "".
   *
   * @throws RestProblem if it is malformed or has too many
   */
  Map<String, List<String>> query() {
    if (!hasQuery()) {
      return Map.of();
    }
    Map<String, List<String>> query = new LinkedHashMap<>();
    readQuery(
        query, (name, value) -> query.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value));
    return query;
  }

  /**
   * Reads the query.
   *
   * @param names a map with all names so far
   * @param add adds a parameter to it
   */
  private void readQuery(Map<String, ?> names, BiConsumer<String, String> add) {
    int hash = uri.indexOf('#', queryStart);
    int end = hash < 0 ? uri.length() : hash;
    for (int start = queryStart; start < end; ) {
      int separator = uri.indexOf('&', start);
      int stop = separator < 0 || separator > end ? end : separator;
      int equals = uri.indexOf('=', start);
      int nameEnd = equals < 0 || equals > stop ? stop : equals;
      if (nameEnd > start) {
        String value = nameEnd == stop ? "" : text(nameEnd + 1, stop);
        add.accept(text(start, nameEnd), value);
      }
      if (names.size() > PARAMETERS_MAX) {
        throw RestProblem.badRequest("too many query parameters: limit=" + PARAMETERS_MAX);
      }
      start = stop + 1;
    }
  }
}
