package dev.isogrid.server.net;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.FileAccess;
import dev.isogrid.base.FolderLock;
import dev.isogrid.base.ReplacedFile;
import dev.isogrid.config.CacheDocument;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.NamedCacheConfig;
import dev.isogrid.config.ReadContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configurations of permanent caches in a data directory: {@code caches/NAME.json} each. A file
 * exists either completely or not at all, whenever the process or the machine stops: it is written
 * and synced under another name and then renamed. One process at a time uses a directory.
 *
 * <p>Thread-safe for different names; for one name the caller orders its calls. Methods block.
 */
public final class CacheFiles implements AutoCloseable {
  private static final String SUFFIX = ".json";

  /** Longer names are cut and get a hash: with the suffixes, file systems allow 255 bytes. */
  private static final int PLAIN_NAME_LENGTH_MAX = 200;

  private static final int CUT_NAME_LENGTH = 120;

  private final Path directory;
  private final FolderLock lock;
  private final FileAccess access;

  private CacheFiles(Path directory, FolderLock lock, FileAccess access) {
    this.directory = directory;
    this.lock = lock;
    this.access = access;
  }

  /**
   * Takes a data directory into use; creates it if it does not exist. Deletes incomplete files of a
   * stopped process.
   *
   * @throws InvalidRequestException if it can't be created or written to, or is in use by another
   *     server
   */
  public static CacheFiles open(Path dataDirectory) {
    return open(dataDirectory, FileAccess.SYSTEM);
  }

  /** As {@link #open(Path)}, with other access to files that are replaced. */
  static CacheFiles open(Path dataDirectory, FileAccess access) {
    Path directory = dataDirectory.resolve("caches");
    try {
      Files.createDirectories(directory);
      CacheFiles files = new CacheFiles(directory, FolderLock.take(dataDirectory), access);
      try {
        files.deleteDrafts();
      } catch (IOException failure) {
        files.close();
        throw failure;
      }
      return files;
    } catch (FolderLock.InUseException inUse) {
      throw new InvalidRequestException(
          "data directory in use: directory=%s, reason=%s"
              .formatted(dataDirectory, inUse.getMessage()),
          inUse);
    } catch (IOException failure) {
      String reason =
          failure instanceof FileAlreadyExistsException ? "a file is in the way" : reason(failure);
      throw new InvalidRequestException(
          "data directory can't be used: directory=%s, reason=%s; name one that can be written to"
              .formatted(dataDirectory, reason),
          failure);
    }
  }

  /** Texts by name, in a file of their own in the same data directory. */
  KeptMap map(String name) {
    return new KeptMap(directory.resolveSibling(name + SUFFIX), access);
  }

  /** The folder of the archives of backups, which need not exist. */
  Path backups() {
    return directory.resolveSibling("backups");
  }

  /** The folder of persistent counters. */
  Path counters() {
    return directory.resolveSibling("counters.log");
  }

  private void deleteDrafts() throws IOException {
    try (DirectoryStream<Path> drafts =
        Files.newDirectoryStream(directory, "*" + ReplacedFile.DRAFT_SUFFIX)) {
      for (Path draft : drafts) {
        Files.delete(draft);
      }
    }
  }

  /**
   * Reads all configurations.
   *
   * @return the configurations by the names of the caches, sorted
   * @throws InvalidRequestException if a file can't be read or parsed; the message names it
   */
  public Map<String, CacheConfig> readAll() {
    Map<String, CacheConfig> configs = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
      for (Path file : files) {
        NamedCacheConfig cache = read(file);
        configs.put(String.valueOf(cache.name()), cache.config());
      }
    } catch (IOException failure) {
      throw unreadable(directory, reason(failure), failure);
    }
    return configs;
  }

  private static NamedCacheConfig read(Path file) throws IOException {
    NamedCacheConfig cache;
    try {
      cache =
          CacheDocument.read(
              Files.readAllBytes(file), DocumentFormat.JSON, ReadContext.empty().withFolders());
    } catch (GridException failure) {
      throw unreadable(file, String.valueOf(failure.getMessage()), failure);
    }
    String name = cache.name();
    if (name == null || !file.endsWith(fileName(name))) {
      throw unreadable(file, "the file is not called like its cache", null);
    }
    return cache;
  }

  private static InvalidRequestException unreadable(
      Path file, String reason, @Nullable Exception cause) {
    return new InvalidRequestException(
        "kept cache configuration can't be read: file=%s, reason=%s; mend or delete it"
            .formatted(file, reason),
        cause);
  }

  /** A configuration that is written and synced, but not in force yet. */
  public final class Draft implements AutoCloseable {
    private final String name;
    private final ReplacedFile.Draft draft;
    private final byte @Nullable [] former;

    private Draft(String name, ReplacedFile.Draft draft, byte @Nullable [] former) {
      this.name = name;
      this.draft = draft;
      this.former = former;
    }

    /**
     * Puts it into force. After the return, it survives a power failure.
     *
     * @throws FatalGridException if that fails; then the former configuration, or none, stays
     */
    public void keep() {
      try {
        draft.keep();
      } catch (IOException failure) {
        FatalGridException notKept = notWritten(name, failure);
        if (draft.isMoved()) {
          putBack(notKept);
        }
        throw notKept;
      }
    }

    private void putBack(FatalGridException notKept) {
      try {
        if (former == null) {
          Files.deleteIfExists(file(name));
        } else {
          replaced(name).write(ByteBuffer.wrap(former));
        }
      } catch (IOException alsoFailed) { // as far as that is to be had now, it is back
        notKept.addSuppressed(alsoFailed);
      }
    }

    /** Deletes the draft, if it was not kept. */
    @Override
    public void close() {
      try {
        draft.close();
      } catch (IOException failure) {
        throw new FatalGridException(
            "draft can't be deleted: file=%s; look at the disk".formatted(file(name)), failure);
      }
    }
  }

  /**
   * Writes a configuration as a draft.
   *
   * @return the draft, which the caller keeps or closes
   * @throws InvalidRequestException if the name is not allowed in a document
   * @throws FatalGridException if the disk refuses it
   */
  public Draft draft(String name, CacheConfig config) {
    String document = CacheDocument.write(name, config, DocumentFormat.JSON, true);
    try {
      byte[] former = Files.exists(file(name)) ? Files.readAllBytes(file(name)) : null;
      return new Draft(name, replaced(name).draft(StandardCharsets.UTF_8.encode(document)), former);
    } catch (IOException failure) {
      throw notWritten(name, failure);
    }
  }

  private ReplacedFile replaced(String name) {
    return new ReplacedFile(file(name), access);
  }

  private static FatalGridException notWritten(String name, IOException failure) {
    return new FatalGridException(
        ("cache configuration can't be kept: cache=%s, %s; make room on its disk or see to its"
                + " permissions, and try again")
            .formatted(name, failure.getMessage()),
        failure);
  }

  /**
   * Deletes a configuration. After the return, it does not come back after a power failure.
   *
   * @return whether there was one
   * @throws FatalGridException if the disk refuses it; it may be gone all the same
   */
  public boolean delete(String name) {
    try {
      return replaced(name).delete();
    } catch (IOException failure) {
      throw new FatalGridException(
          "cache configuration can't be deleted: cache=%s, %s; look at the disk"
              .formatted(name, failure.getMessage()),
          failure);
    }
  }

  /** Whether there is a configuration of a cache. */
  public boolean contains(String name) {
    return Files.exists(file(name));
  }

  private Path file(String name) {
    return directory.resolve(fileName(name));
  }

  /**
   * The name of a cache's file: letters, digits, minus and underscore stand for themselves, any
   * other byte of UTF-8 becomes {@code %} and two digits.
   */
  static String fileName(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    StringBuilder text = new StringBuilder(utf8.length + SUFFIX.length());
    for (byte b : utf8) {
      if (isPlain(b)) {
        text.append((char) b);
      } else {
        text.append('%').append(HexFormat.of().toHexDigits(b));
      }
    }
    if (text.length() > PLAIN_NAME_LENGTH_MAX) {
      text.setLength(CUT_NAME_LENGTH);
      text.append('~').append(HexFormat.of().formatHex(sha256(utf8)));
    }
    return text.append(SUFFIX).toString();
  }

  private static boolean isPlain(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '-'
        || b == '_';
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private static String reason(IOException failure) {
    return failure.getMessage() == null
        ? failure.getClass().getSimpleName()
        : failure.getClass().getSimpleName() + " " + failure.getMessage();
  }

  /** Releases the directory for other processes. Closing twice is harmless. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException failure) {
      throw new FatalGridException("data directory can't be released: " + directory, failure);
    }
  }
}
