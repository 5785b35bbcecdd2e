package dev.isogrid.server.memcached;

import org.jspecify.annotations.Nullable;

/**
 * The marks of the meta commands on an entry: it is stale, or a client has the order to renew it.
 * Stored as the last parameter of the entry's media type. So a mark moves with the entry, and
 * disappears with the next value; few entries have one.
 */
final class RecacheMark {
  /** The entry has no mark. */
  static final int NONE = 0;

  /** A client has the order to renew the entry. */
  static final int WON = 1;

  /** The entry was invalidated. */
  static final int STALE = 2;

  private static final String PARAMETER = ";memcached=";

  /** The suffix of the media type, by mark. */
  private static final String[] ENDS = {
    "", PARAMETER + "won", PARAMETER + "stale", PARAMETER + "stale-won"
  };

  /** The longest media type that an entry can have without a mark. */
  private static final int BARE_LENGTH_MAX = 127 - ENDS[STALE | WON].length();

  private RecacheMark() {}

  /** The mark in an entry's media type. */
  static int of(@Nullable String mediaType) {
    if (mediaType != null && mediaType.contains(PARAMETER)) {
      for (int mark = WON; mark < ENDS.length; mark++) {
        if (mediaType.endsWith(ENDS[mark])) {
          return mark;
        }
      }
    }
    return NONE;
  }

  /**
   * An entry's media type with another mark.
   *
   * @param mediaType the entry's, or null if it has none
   * @param usual the meaning of null
   */
  static @Nullable String with(int mark, @Nullable String mediaType, String usual) {
    String bare = bare(mediaType, usual);
    if (mark == NONE) {
      return bare;
    }
    String named = bare == null ? usual : bare;
    return (named.length() > BARE_LENGTH_MAX ? usual : named) + ENDS[mark];
  }

  private static @Nullable String bare(@Nullable String mediaType, String usual) {
    int mark = of(mediaType);
    if (mark == NONE || mediaType == null) {
      return mediaType;
    }
    String bare = mediaType.substring(0, mediaType.length() - ENDS[mark].length());
    return bare.equals(usual) ? null : bare;
  }
}
