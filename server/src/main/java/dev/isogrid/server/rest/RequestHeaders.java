package dev.isogrid.server.rest;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a request that this endpoint uses, read in one pass. A list in several
 * fields is joined. Reusable; not thread-safe.
 */
final class RequestHeaders {
  @Nullable String accept;
  @Nullable String acceptEncoding;
  @Nullable String authorization;
  @Nullable String accessControlRequestMethod;
  @Nullable String cacheControl;
  @Nullable String contentEncoding;
  @Nullable String contentType;
  @Nullable String expect;
  @Nullable String flags;
  @Nullable String host;

  /** Whether there is more than one field {@code Host}, so that nobody knows which one counts. */
  boolean hasSeveralHosts;

  @Nullable String ifMatch;
  @Nullable String ifModifiedSince;
  @Nullable String ifNoneMatch;
  @Nullable String ifUnmodifiedSince;
  @Nullable String keyContentType;
  @Nullable String maxIdleTimeSeconds;
  @Nullable String origin;
  @Nullable String timeToLiveSeconds;
  @Nullable String traceparent;
  @Nullable String tracestate;
  @Nullable String upgrade;
  @Nullable String userAgent;

  /** Takes the fields of the next request. */
  void read(HttpHeaders headers) {
    clear();
    Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
    while (fields.hasNext()) {
      Map.Entry<CharSequence, CharSequence> field = fields.next();
      take(field.getKey(), field.getValue().toString());
    }
  }

  private void clear() {
    accept = null;
    acceptEncoding = null;
    authorization = null;
    accessControlRequestMethod = null;
    cacheControl = null;
    contentEncoding = null;
    contentType = null;
    expect = null;
    flags = null;
    host = null;
    hasSeveralHosts = false;
    ifMatch = null;
    ifModifiedSince = null;
    ifNoneMatch = null;
    ifUnmodifiedSince = null;
    keyContentType = null;
    maxIdleTimeSeconds = null;
    origin = null;
    timeToLiveSeconds = null;
    traceparent = null;
    tracestate = null;
    upgrade = null;
    userAgent = null;
  }

  /** Compares lengths first, so that most fields cost one comparison of numbers. */
  private void take(CharSequence name, String value) {
    switch (name.length()) {
      case 4 -> takeOfFour(name, value);
      case 5 -> flags = is(name, "flags") ? joined(flags, value) : flags;
      case 6 -> takeOfSix(name, value);
      case 7 -> upgrade = is(name, "upgrade") ? joined(upgrade, value) : upgrade;
      case 8 -> ifMatch = is(name, "if-match") ? joined(ifMatch, value) : ifMatch;
      case 10 -> takeOfTen(name, value);
      case 11 -> traceparent = is(name, "traceparent") ? value : traceparent;
      case 12 -> contentType = is(name, "content-type") ? value : contentType;
      case 13 -> takeOfThirteen(name, value);
      case 15 ->
          acceptEncoding =
              is(name, "accept-encoding") ? joined(acceptEncoding, value) : acceptEncoding;
      case 16 -> takeOfSixteen(name, value);
      case 17 -> takeOfSeventeen(name, value);
      case 18 -> maxIdleTimeSeconds = is(name, "maxidletimeseconds") ? value : maxIdleTimeSeconds;
      case 19 -> ifUnmodifiedSince = is(name, "if-unmodified-since") ? value : ifUnmodifiedSince;
      case 29 ->
          accessControlRequestMethod =
              is(name, "access-control-request-method") ? value : accessControlRequestMethod;
      default -> {
        // an unused field
      }
    }
  }

  private void takeOfFour(CharSequence name, String value) {
    if (is(name, "host")) {
      hasSeveralHosts = host != null;
      host = value;
    }
  }

  private void takeOfSix(CharSequence name, String value) {
    if (is(name, "accept")) {
      accept = value.isBlank() ? accept : joined(accept, value); // an empty list accepts anything
    } else if (is(name, "origin")) {
      origin = value;
    } else if (is(name, "expect")) {
      expect = value;
    }
  }

  private void takeOfTen(CharSequence name, String value) {
    if (is(name, "user-agent")) {
      userAgent = value;
    } else if (is(name, "tracestate")) {
      tracestate = joined(tracestate, value);
    }
  }

  private void takeOfThirteen(CharSequence name, String value) {
    if (is(name, "if-none-match")) {
      ifNoneMatch = joined(ifNoneMatch, value);
    } else if (is(name, "authorization")) {
      authorization = value;
    } else if (is(name, "cache-control")) {
      cacheControl = joined(cacheControl, value);
    }
  }

  private void takeOfSixteen(CharSequence name, String value) {
    if (is(name, "key-content-type")) {
      keyContentType = value;
    } else if (is(name, "content-encoding")) {
      contentEncoding = joined(contentEncoding, value);
    }
  }

  private void takeOfSeventeen(CharSequence name, String value) {
    if (is(name, "if-modified-since")) {
      ifModifiedSince = value;
    } else if (is(name, "timetoliveseconds")) {
      timeToLiveSeconds = value;
    }
  }

  private static boolean is(CharSequence name, String lowerCase) {
    return AsciiString.contentEqualsIgnoreCase(name, lowerCase);
  }

  private static String joined(@Nullable String before, String value) {
    return before == null ? value : before + "," + value;
  }
}
