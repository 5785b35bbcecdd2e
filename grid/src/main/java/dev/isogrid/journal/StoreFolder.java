package dev.isogrid.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Where the files of a cache's journal are. Methods block but for {@link #of}. */
public final class StoreFolder {
  /** What the name of a folder ends with that is being deleted. */
  private static final String REMOVED_SUFFIX = "@removed";

  /** What the name of a folder ends with that a repair writes. */
  private static final String REPAIRED_SUFFIX = "@repaired";

  /** File systems allow 255 bytes; some are left for suffixes. */
  private static final int PLAIN_LENGTH_MAX = 200;

  private static final int CUT_LENGTH = 120;

  /** Begins the name of a folder that contains those of caches; theirs have no such character. */
  private static final String PART_MARK = "@";

  private StoreFolder() {}

  /** Returns the folder of a cache below another one. */
  public static Path of(Path parent, String cache) {
    return parent.resolve(name(cache));
  }

  /**
   * Returns the folder that a relative path stands for. Its parts are marked: no folder of a cache
   * is within that of another, or outside of the parent.
   */
  public static Path below(Path parent, String path) {
    Path folder = parent;
    for (Path part : Path.of(path).normalize()) {
      folder =
          part.toString().isEmpty() ? folder : folder.resolve(PART_MARK + name(part.toString()));
    }
    return folder;
  }

  private static String name(String text) {
    StringBuilder name = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xFF);
      boolean isPlain =
          (letter >= 'a' && letter <= 'z')
              || (letter >= '0' && letter <= '9')
              || letter == '-'
              || letter == '_'
              || (letter == '.' && !name.isEmpty());
      name.append(isPlain ? letter : "%%%02x".formatted((int) letter));
    }
    return name.length() <= PLAIN_LENGTH_MAX
        ? name.toString()
        : name.substring(0, CUT_LENGTH) + "-" + digest(text);
  }

  private static String digest(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).toLowerCase(Locale.ROOT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the folder that a repair of another one writes, until it takes its place. */
  static Path repaired(Path folder) {
    return folder.resolveSibling(folder.getFileName() + REPAIRED_SUFFIX);
  }

  /**
   * Refuses a store whose repair was interrupted between the two renames at its end: the folder is
   * missing, and one that was created now would be empty.
   *
   * @throws IOException if that is so; the message says what to do
   */
  public static void checkNoRepair(Path folder) throws IOException {
    if (Files.notExists(folder) && Files.isDirectory(repaired(folder))) {
      throw new IOException(
          "a repair of the store was interrupted: folder=%s; `isogrid data repair %s` ends it"
              .formatted(folder, folder));
    }
  }

  /**
   * Deletes a folder that nobody uses, with its files; no effect if there is none. When this
   * returns, or the process ends meanwhile, the folder is there as it was or not at all.
   */
  public static void delete(Path folder) throws IOException {
    deleteFiles(setAside(folder));
  }

  /**
   * Renames a folder that nobody uses, and deletes the one that was set aside before.
   *
   * @return its path from now on
   */
  public static Path setAside(Path folder) throws IOException {
    Path removed = folder.resolveSibling(folder.getFileName() + REMOVED_SUFFIX);
    deleteFiles(removed);
    if (Files.isDirectory(folder)) {
      Files.move(folder, removed, StandardCopyOption.ATOMIC_MOVE);
      FolderDisk.forceParent(folder);
    }
    return removed;
  }

  private static void deleteFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
