package dev.isogrid.server.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the web console. They are read from the class path at the first request for one, and
 * cached: some 100 kB. Only names of a fixed list can be requested. Thread-safe.
 */
final class ConsoleFiles {
  /** The page that a browser begins with. */
  static final String START_PAGE = "index.html";

  private static final String FOLDER = "dev/isogrid/console/";
  private static final String LIST = FOLDER + "files";

  /** Digits of a file's tag: 64 bits of its SHA-256. */
  private static final int TAG_BYTES = 8;

  /** The least gain of gzip that is worth the memory. */
  private static final int GZIP_GAIN_MIN = 512;

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  /** The name of the library in a file, which a browser can't resolve by itself. */
  private static final String BARE_IMPORT = "from\"preact\"";

  private static final String RELATIVE_IMPORT = "from\"./preact.js\"";

  /**
   * A file.
   *
   * @param contentType its type
   * @param bytes its content
   * @param gzipped the same compressed, or null if that is hardly smaller
   * @param tag differs between contents; without quotes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record File(String contentType, byte[] bytes, byte @Nullable [] gzipped, String tag) {}

  private final ClassLoader loader;

  /** Written once, under the lock of this; empty if the console is not on the class path. */
  private volatile @Nullable Map<String, File> files;

  /** Files that a class loader finds; none is read yet. */
  ConsoleFiles(ClassLoader loader) {
    this.loader = loader;
  }

  /** Whether {@link #find} answers from memory. */
  boolean isRead() {
    return files != null;
  }

  /**
   * Returns a file, or null if there is none of the name. Reads all files if none was read yet.
   *
   * @throws UncheckedIOException if a file of the list can't be read
   */
  @Nullable File find(String name) {
    Map<String, File> known = files;
    return (known == null ? read() : known).get(name);
  }

  private synchronized Map<String, File> read() {
    Map<String, File> known = files;
    if (known == null) {
      known = Map.copyOf(readAll());
      files = known;
    }
    return known;
  }

  private Map<String, File> readAll() {
    Map<String, File> read = new HashMap<>();
    byte[] list = resource(LIST);
    if (list == null) {
      return read;
    }
    for (String line : new String(list, StandardCharsets.UTF_8).split("\n", -1)) {
      if (!line.isEmpty()) {
        String[] parts = line.split(" ", 2);
        String path = parts.length == 2 ? parts[1] : FOLDER + parts[0];
        read.put(parts[0], file(parts[0], path));
      }
    }
    return read;
  }

  private File file(String name, String path) {
    byte[] content = resource(path);
    if (content == null) {
      throw new UncheckedIOException(
          new IOException("console lacks a file: name=%s, path=%s".formatted(name, path)));
    }
    byte[] bytes =
        new String(content, StandardCharsets.UTF_8)
            .replace(BARE_IMPORT, RELATIVE_IMPORT)
            .getBytes(StandardCharsets.UTF_8);
    String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain");
    return new File(type, bytes, gzipped(bytes), tag(bytes));
  }

  private byte @Nullable [] resource(String path) {
    try (InputStream in = loader.getResourceAsStream(path)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException("console can't be read: path=" + path, failure);
    }
  }

  private static byte @Nullable [] gzipped(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.size() + GZIP_GAIN_MIN > bytes.length ? null : out.toByteArray();
  }

  private static String tag(byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
