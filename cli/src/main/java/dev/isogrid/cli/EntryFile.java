package dev.isogrid.cli;

import java.io.IOException;
import java.io.Reader;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A form of files with entries: one entry per line of JSON, or per row of CSV. */
interface EntryFile {
  /** The text before the first entry, with its line end; empty if there is none. */
  String head();

  /** An entry as text, with its line end. */
  String text(EntryLine entry);

  /** Reads entries from {@code in}, which is borrowed. */
  Source source(Reader in);

  /** Entries of a file, one after the other. For one thread. */
  interface Source {
    /**
     * The next entry, or null at the end.
     *
     * @throws CommandFailure if it is malformed
     */
    @Nullable EntryLine next() throws IOException;

    /** The number of the line or row that {@link #next} read last, from 1. */
    long line();
  }

  /**
   * The form of a file.
   *
   * @param format json or csv; null for what the file's name ends with, which is JSON otherwise
   * @throws UsageFailure if there is no such form
   */
  static EntryFile of(@Nullable String format, String file) {
    String name =
        format != null
            ? format.toLowerCase(Locale.ROOT)
            : file.toLowerCase(Locale.ROOT).endsWith(".csv") ? "csv" : "json";
    return switch (name) {
      case "json", "jsonl" -> new JsonLines();
      case "csv" -> new CsvRows();
      default -> throw new UsageFailure("unknown format: %s; use json or csv".formatted(format));
    };
  }
}
