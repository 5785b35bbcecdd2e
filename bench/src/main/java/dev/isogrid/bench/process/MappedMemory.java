package dev.isogrid.bench.process;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory of a process as Linux counts it, in the files {@code smaps} and {@code smaps_rollup}.
 *
 * @param residentBytes what is in main memory, pages that others share included
 * @param proportionalBytes the same, but of a page that n processes share only 1/n
 */
public record MappedMemory(long residentBytes, long proportionalBytes) {
  /** None. */
  public static final MappedMemory NONE = new MappedMemory(0, 0);

  private static final int HEXADECIMAL = 16;

  /** The line that a mapping begins with: its first address, the one after its last. */
  private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-[0-9a-f]+ .*");

  private static final Pattern FIGURE = Pattern.compile("(Rss|Pss): +([0-9]+) kB");

  /**
   * Adds up the mappings that begin from an address on and before another.
   *
   * @throws IOException if there is no figure at all among the lines, whatever the addresses
   */
  static MappedMemory parse(List<String> lines, long start, long end) throws IOException {
    long residentBytes = 0;
    long proportionalBytes = 0;
    boolean isFound = false;
    boolean isInRange = false;
    for (String line : lines) {
      Matcher mapping = MAPPING.matcher(line);
      if (mapping.matches()) {
        // The kernel's own page has an address beyond those of a long with a sign.
        long address = Long.parseUnsignedLong(mapping.group(1), HEXADECIMAL);
        isInRange = address >= start && address < end;
        continue;
      }
      Matcher figure = FIGURE.matcher(line);
      if (!figure.matches()) {
        continue;
      }
      isFound = true;
      long bytes = isInRange ? Long.parseLong(figure.group(2)) * 1024 : 0;
      if (figure.group(1).equals("Rss")) {
        residentBytes += bytes;
      } else {
        proportionalBytes += bytes;
      }
    }
    if (!isFound) {
      throw new IOException("no figures of mapped memory: lines=" + lines.size());
    }
    return new MappedMemory(residentBytes, proportionalBytes);
  }
}
