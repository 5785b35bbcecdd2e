package dev.isogrid.bench.process;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory of a process as Linux counts it, in the files {@code smaps} and {@code smaps_rollup}.
 *
 * @param residentBytes what is in main memory, pages that others share included
 * @param proportionalBytes the same, but only 1/n of a page that n processes share
 */
public record MappedMemory(long residentBytes, long proportionalBytes) {
  /** No memory. */
  public static final MappedMemory NONE = new MappedMemory(0, 0);

  private static final int HEXADECIMAL = 16;

  /** The first line of a mapping: its first address, and the address after its last. */
  private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-[0-9a-f]+ .*");

  private static final Pattern FIGURE = Pattern.compile("(Rss|Pss): +([0-9]+) kB");

  /**
   * Adds up the mappings that begin at or after one address and before another.
   *
   * @throws IOException if no line has a figure, whatever the addresses
   */
  static MappedMemory parse(List<String> lines, long start, long end) throws IOException {
    long residentBytes = 0;
    long proportionalBytes = 0;
    boolean isFound = false;
    boolean isInRange = false;
    for (String line : lines) {
      Matcher mapping = MAPPING.matcher(line);
      if (mapping.matches()) {
        // The address of the kernel's own page does not fit into a signed long.
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
