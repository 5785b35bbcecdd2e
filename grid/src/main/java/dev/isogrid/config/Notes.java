package dev.isogrid.config;

import java.util.ArrayList;
import java.util.List;

/** The warnings of a reader about an accepted document. Not thread-safe. */
final class Notes {
  /** The most warnings: enough to show the problem, and few enough for a log. */
  private static final int WARNINGS_MAX = 50;

  private final String subject;
  private final boolean isLenient;
  private final List<String> warnings = new ArrayList<>();
  private int moreWarnings;

  /**
   * Starts without a note.
   *
   * @param subject the subject of the document, for messages
   */
  Notes(String subject) {
    this(subject, false);
  }

  /**
   * As {@link #Notes(String)}.
   *
   * @param isLenient whether unknown parts of the document, and known ones with unknown values, are
   *     taken for missing ones
   */
  Notes(String subject, boolean isLenient) {
    this.subject = subject;
    this.isLenient = isLenient;
  }

  /** Whether what is unknown is taken for missing. */
  boolean isLenient() {
    return isLenient;
  }

  String subject() {
    return subject;
  }

  /** Notes that a part of the document is understood but makes no difference. */
  void ignored(String path) {
    if (warnings.size() < WARNINGS_MAX) {
      warnings.add(path + " has no effect");
    } else {
      moreWarnings++;
    }
  }

  /** A sentence each; if there are too many, the last one has the number of omitted ones. */
  List<String> warnings() {
    List<String> all = new ArrayList<>(warnings);
    if (moreWarnings > 0) {
      all.add("and " + moreWarnings + " more");
    }
    return List.copyOf(all);
  }
}
