package dev.isogrid.server.backup;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The last file of an archive, which lists its content. See {@link ArchiveLayout}.
 *
 * @param created the beginning of the backup, as ISO 8601
 * @param product the version of the software that wrote it
 * @param parts all other files
 */
record BackupManifest(String created, String product, List<Part> parts) {
  private static final int WORDS_OF_PART = 7;

  /** The content of a file of the archive. */
  enum Content {
    CACHE,
    ENTRIES,
    TEMPLATE,
    SCHEMA,
    COUNTERS,
    ALIASES
  }

  /**
   * A file of the archive.
   *
   * @param name of the resource; empty for a file about several
   * @param file its path in the archive
   * @param bytes its size, not compressed
   * @param crc CRC32C of its bytes
   * @param count the number of entries, counters or aliases; 1 for others
   */
  record Part(Content content, String name, String file, long bytes, int crc, long count) {}

  BackupManifest {
    parts = List.copyOf(parts);
  }

  /** Returns the parts of one content. */
  List<Part> of(Content content) {
    return parts.stream().filter(part -> part.content() == content).toList();
  }

  /** Returns the text of the file. */
  String write() {
    StringBuilder text = new StringBuilder();
    text.append("isogrid-backup ").append(ArchiveLayout.VERSION).append('\n');
    text.append("created ").append(created).append('\n');
    text.append("product ").append(encoded(product)).append('\n');
    for (Part part : parts) {
      text.append(
          "part %s %s %s %d %08x %d\n"
              .formatted(
                  part.content(),
                  encoded(part.name()),
                  encoded(part.file()),
                  part.bytes(),
                  part.crc(),
                  part.count()));
    }
    return text.append("crc %08x\n".formatted(crc(text))).toString();
  }

  /**
   * Reads the text of the file.
   *
   * @throws IllegalArgumentException if it is malformed; the message has the reason
   */
  static BackupManifest read(String text) {
    List<String> lines = text.lines().toList();
    String version = lines.isEmpty() ? "" : value(lines.getFirst(), "isogrid-backup");
    check(
        version.equals(String.valueOf(ArchiveLayout.VERSION)),
        "version %s of the format; this server reads %d".formatted(version, ArchiveLayout.VERSION));
    check(lines.size() >= 4, "too few lines");
    String last = lines.getLast() + "\n";
    check(text.endsWith(last), "no end of the last line");
    int crc = crc(text.substring(0, text.length() - last.length()));
    check(value(lines.getLast(), "crc").equals("%08x".formatted(crc)), "a wrong checksum");
    List<Part> parts = new ArrayList<>();
    for (String line : lines.subList(3, lines.size() - 1)) {
      parts.add(part(line));
    }
    return new BackupManifest(
        value(lines.get(1), "created"), decoded(value(lines.get(2), "product")), parts);
  }

  private static Part part(String line) {
    String[] words = line.split(" ", -1);
    check(words.length == WORDS_OF_PART && words[0].equals("part"), "the line " + line);
    return new Part(
        Content.valueOf(words[1]),
        decoded(words[2]),
        decoded(words[3]),
        Long.parseLong(words[4]),
        Integer.parseUnsignedInt(words[5], 16),
        Long.parseLong(words[6]));
  }

  private static String value(String line, String name) {
    check(line.startsWith(name + " "), "the line %s in place of %s".formatted(line, name));
    return line.substring(name.length() + 1);
  }

  private static void check(boolean holds, String found) {
    if (!holds) {
      throw new IllegalArgumentException(found);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static int crc(CharSequence text) {
    CRC32C crc = new CRC32C();
    crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return (int) crc.getValue();
  }
}
