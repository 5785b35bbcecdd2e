package dev.isogrid.server.rest;

/**
 * Reads entity tags. The tag of an entry is its version in decimal digits, in quotes; clients may
 * send it back without them. Pure functions.
 */
final class EntryTags {
  private EntryTags() {}

  /** Whether a header field stands for any entry. */
  static boolean isAny(String field) {
    return field.strip().equals("*");
  }

  /**
   * Whether a header field names the tag of a version.
   *
   * @param field tags, separated by commas
   * @param strong whether weak tags, marked by {@code W/}, are left out
   */
  static boolean names(String field, long version, boolean strong) {
    int length = field.length();
    int at = 0;
    while (at < length) {
      char c = field.charAt(at);
      if (c == ' ' || c == '\t' || c == ',') {
        at++;
        continue;
      }
      boolean weak = field.startsWith("W/", at);
      int start = weak ? at + 2 : at;
      boolean quoted = start < length && field.charAt(start) == '"';
      int from = quoted ? start + 1 : start;
      int end = field.indexOf(quoted ? '"' : ',', from);
      end = end < 0 ? length : end;
      if (!(weak && strong) && isVersion(field, from, end, version)) {
        return true;
      }
      at = quoted ? end + 1 : end;
    }
    return false;
  }

  private static boolean isVersion(String text, int start, int end, long version) {
    int stop = end;
    while (stop > start && (text.charAt(stop - 1) == ' ' || text.charAt(stop - 1) == '\t')) {
      stop--;
    }
    long rest = version; // compared from the last digit on
    for (int at = stop - 1; at >= start; at--) {
      if (text.charAt(at) != '0' + rest % 10 || (rest == 0 && version != 0)) {
        return false;
      }
      rest /= 10;
    }
    return stop > start && rest == 0;
  }
}
