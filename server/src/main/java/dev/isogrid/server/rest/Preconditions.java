package dev.isogrid.server.rest;

import dev.isogrid.store.EntryView;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a request on the current entry. Evaluated in the order of RFC 9110, section
 * 13.2.2. Reusable; not thread-safe.
 *
 * <p>Two writes differ from it, as existing clients expect: a put whose {@code If-None-Match} names
 * the current tag is answered with 304, and a removal with {@code If-None-Match} is done if the tag
 * is named. The time of the last change is known only for entries with a limited life. For others,
 * conditions on it are ignored, as the RFC demands.
 */
final class Preconditions {
  private @Nullable String ifMatch;
  private @Nullable String ifNoneMatch;
  private long ifModifiedSinceSecond;
  private long ifUnmodifiedSinceSecond;

  /** The result of the conditions. */
  enum Verdict {
    /** Execute the request. */
    GO_ON,
    /** Reply that nothing changed. */
    NOT_MODIFIED,
    /** Refuse. */
    FAILED
  }

  /**
   * Takes the conditions of a request.
   *
   * @throws RestProblem if a date is malformed
   */
  void read(RequestHeaders headers) {
    ifMatch = headers.ifMatch;
    ifNoneMatch = headers.ifNoneMatch;
    ifModifiedSinceSecond = second("If-Modified-Since", headers.ifModifiedSince);
    ifUnmodifiedSinceSecond = second("If-Unmodified-Since", headers.ifUnmodifiedSince);
  }

  private static long second(String name, @Nullable String field) {
    if (field == null) {
      return HttpDate.NONE;
    }
    long second = HttpDate.parseSeconds(field);
    if (second == HttpDate.NONE) {
      throw RestProblem.badRequest("malformed date: header=%s; use an HTTP date".formatted(name));
    }
    return second;
  }

  /** Whether there are none. */
  boolean areNone() {
    return ifMatch == null
        && ifNoneMatch == null
        && ifModifiedSinceSecond == HttpDate.NONE
        && ifUnmodifiedSinceSecond == HttpDate.NONE;
  }

  /** The result for a read of a present entry. */
  Verdict forRead(EntryView<?, ?> entry) {
    if (failsIfMatch(entry)) {
      return Verdict.FAILED;
    }
    if (ifNoneMatch != null) {
      return EntryTags.isAny(ifNoneMatch) || EntryTags.names(ifNoneMatch, entry.version(), false)
          ? Verdict.NOT_MODIFIED
          : Verdict.GO_ON;
    }
    boolean unchanged =
        ifModifiedSinceSecond >= 0
            && entry.createdMillis() >= 0
            && entry.createdMillis() / 1000 <= ifModifiedSinceSecond;
    return unchanged ? Verdict.NOT_MODIFIED : Verdict.GO_ON;
  }

  /** The result for a put, given the entry or its absence. */
  Verdict forPut(EntryView<?, ?> current) {
    if (failsIfMatch(current)) {
      return Verdict.FAILED;
    }
    if (ifNoneMatch == null || !current.isPresent()) {
      return Verdict.GO_ON;
    }
    if (EntryTags.isAny(ifNoneMatch)) {
      return Verdict.FAILED;
    }
    return EntryTags.names(ifNoneMatch, current.version(), false)
        ? Verdict.NOT_MODIFIED
        : Verdict.GO_ON;
  }

  /** The result for a removal of a present entry. */
  Verdict forRemoval(EntryView<?, ?> entry) {
    boolean refused =
        failsIfMatch(entry)
            || (ifNoneMatch != null && !EntryTags.names(ifNoneMatch, entry.version(), false));
    return refused ? Verdict.FAILED : Verdict.GO_ON;
  }

  private boolean failsIfMatch(EntryView<?, ?> entry) {
    if (ifMatch != null) {
      boolean holds =
          entry.isPresent()
              && (EntryTags.isAny(ifMatch) || EntryTags.names(ifMatch, entry.version(), true));
      return !holds;
    }
    return ifUnmodifiedSinceSecond >= 0
        && entry.isPresent()
        && entry.createdMillis() / 1000 > ifUnmodifiedSinceSecond;
  }
}
