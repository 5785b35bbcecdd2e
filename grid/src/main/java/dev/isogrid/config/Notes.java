package dev.isogrid.config;

import java.util.ArrayList;
import java.util.List;

/** What a reader has to tell about a document that it accepts. Not thread-safe. */
final class Notes {
  /** Enough to see what is wrong, and still fit for a log. */
  private static final int WARNINGS_MAX = 50;

  private final String subject;
  private final List<String> warnings = new ArrayList<>();
  private int moreWarnings;

  /**
   * Starts without a note.
   *
   * @param subject what the document configures, for messages
   */
  Notes(String subject) {
    this.subject = subject;
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

  /** A sentence each; if there are too many, the last tells how many are left out. */
  List<String> warnings() {
    List<String> all = new ArrayList<>(warnings);
    if (moreWarnings > 0) {
      all.add("and " + moreWarnings + " more");
    }
    return List.copyOf(all);
  }
}
