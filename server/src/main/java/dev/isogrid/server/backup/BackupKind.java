package dev.isogrid.server.backup;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The kinds of resources of a backup. */
public enum BackupKind {
  /** Caches with their configuration, their aliases and their entries. */
  CACHES("caches"),
  /** Configurations that clients may refer to by their names. */
  TEMPLATES("templates"),
  /** Counters with their definitions and values. */
  COUNTERS("counters"),
  /** Schemas of protocol buffers. */
  SCHEMAS("proto-schemas"),
  /** Scripts, which clients may name; servers have none, so there is nothing to store. */
  TASKS("tasks");

  /** The name of {@link #TEMPLATES} in newer clients. */
  private static final String CONFIGURATIONS = "cache-configs";

  private final String word;

  BackupKind(String word) {
    this.word = word;
  }

  /** The name of the kind in requests and archives. */
  public String word() {
    return word;
  }

  /** Returns the kind of a name, or null if there is none. */
  public static @Nullable BackupKind of(String word) {
    return Arrays.stream(values())
        .filter(
            kind -> kind.word.equals(word) || (kind == TEMPLATES && word.equals(CONFIGURATIONS)))
        .findFirst()
        .orElse(null);
  }
}
