package dev.isogrid.server.backup;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The files of an archive and their bytes, format {@value #VERSION}. */
final class ArchiveLayout {
  /*
   * An archive is a ZIP file, with ZIP64 if necessary. Its files are:
   *
   *   caches/NAME/cache.json    the configuration of the cache, as a document
   *   caches/NAME/entries.bin   its entries
   *   templates/NAME.json       the configuration of the template, as a document
   *   schemas/NAME              the text of the schema
   *   counters.txt              a line per counter, fields with blanks between them:
   *                             name, type, initial, lower, upper, concurrency, storage, value
   *   aliases.txt               a line per alias: alias, cache
   *   manifest.txt              the list of files; the last file
   *
   * NAME is the resource's name in UTF-8, with %XX for all bytes except letters, digits and .-*_,
   * and + for a blank. The names in text files have the same form.
   *
   * Lines of manifest.txt, in this order:
   *
   *   isogrid-backup VERSION
   *   created TIME
   *   product VERSION-OF-THE-SOFTWARE
   *   part CONTENT NAME FILE BYTES CRC COUNT    for each other file; CRC32C of its bytes in hex
   *   crc CRC                                   CRC32C of all lines before
   *
   * entries.bin, numbers big endian:
   *
   *   offset  bytes  what
   *    0      8      magic, ISOGRIDB
   *    8             entries, one after the other:
   *     0     4      k, bytes of the key
   *     4     4      v, bytes of the value
   *     8     8      version of the entry
   *    16     8      created, milliseconds since 1970; -1 if it has no times
   *    24     8      lifespan, milliseconds; -1 for none
   *    32     8      max idle, milliseconds; -1 for none
   *    40     4      flags of a memcached client
   *    44     2      t, bytes of the media type
   *    46     t      media type of the value, UTF-8
   *           k      key
   *           v      value
   *
   * Limitations: keys and values have the stored form, so they fit caches of the same media types
   * only. The version identifies the write that made the entry; a restored entry gets a new one.
   */
  static final int VERSION = 1;

  static final long ENTRIES_MAGIC = 0x49534F4752494442L; // "ISOGRIDB"
  static final int ENTRIES_HEADER = 8;
  static final int ENTRY_FIXED = 46;

  static final String MANIFEST = "manifest.txt";
  static final String COUNTERS = "counters.txt";
  static final String ALIASES = "aliases.txt";

  /** The most bytes of a file without entries: far more than documents have. */
  static final int TEXT_BYTES_MAX = 64 << 20;

  private ArchiveLayout() {}

  static String encoded(String name) {
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
    boolean isDots = encoded.chars().allMatch(each -> each == '.');
    return isDots ? encoded.replace(".", "%2E") : encoded; // no way out of a folder
  }

  static String cacheFile(String name) {
    return "caches/" + encoded(name) + "/cache.json";
  }

  static String entriesFile(String name) {
    return "caches/" + encoded(name) + "/entries.bin";
  }

  static String templateFile(String name) {
    return "templates/" + encoded(name) + ".json";
  }

  static String schemaFile(String name) {
    return "schemas/" + encoded(name);
  }
}
