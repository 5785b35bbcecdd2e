package dev.isogrid.server.security;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.FileAccess;
import dev.isogrid.base.ReplacedFile;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The file of a server's users: {@code users.properties}, one line a user. It holds no password,
 * but what it holds for DIGEST lets who reads it log in by DIGEST, which is in the nature of that
 * mechanism; so only its owner may read it.
 *
 * <pre>
 * name=roles:admin,observer;SCRAM-SHA-256:iterations:salt:storedKey:serverKey;...
 *      ;DIGEST-SHA-256:realm:hash of name, realm and password;...
 * </pre>
 *
 * Thread-safe, between processes as well.
 */
final class UserFile {
  static final String NAME = "users.properties";

  /** More users than anyone keeps in a file; 10 KB each at most. */
  static final int USERS_MAX = 100_000;

  private static final long SIZE_MAX = 256L << 20;
  private static final String HEADER =
      "# Users of an Isogrid server; change them by: isogrid user\n";

  private final Path folder;
  private final Path file;
  private final ReplacedFile replaced;

  /** The file of a folder, which need not exist yet. */
  UserFile(Path folder) {
    this(folder, FileAccess.SYSTEM);
  }

  /** As {@link #UserFile(Path)}, with other access to the file when it is replaced. */
  UserFile(Path folder, FileAccess access) {
    this.folder = folder;
    this.file = folder.resolve(NAME);
    this.replaced = new ReplacedFile(file, access, ownerOnly());
  }

  Path path() {
    return file;
  }

  /**
   * All users by name; empty if there is no file yet.
   *
   * @throws FatalGridException if the file can't be read; the message names it
   */
  Map<String, User> read() {
    Map<String, User> users = new TreeMap<>();
    if (!Files.exists(file)) {
      return users;
    }
    Properties lines = new Properties();
    try {
      if (Files.size(file) > SIZE_MAX) {
        throw unreadable("larger than " + SIZE_MAX + " bytes", null);
      }
      try (Reader in = Files.newBufferedReader(file)) {
        lines.load(in);
      }
    } catch (IOException | IllegalArgumentException failure) {
      throw unreadable(failure.toString(), failure);
    }
    for (String name : lines.stringPropertyNames()) {
      try {
        users.put(name, User.parse(name, lines.getProperty(name)));
      } catch (RuntimeException wrong) { // the parts of a line fail in many ways
        throw unreadable("user=%s, %s".formatted(AuditLog.shown(name), wrong.getMessage()), wrong);
      }
    }
    return Collections.unmodifiableMap(users);
  }

  private FatalGridException unreadable(
      String reason, @org.jspecify.annotations.Nullable Exception cause) {
    return new FatalGridException(
        "users can't be read: file=%s, %s; correct it or create it anew".formatted(file, reason),
        cause);
  }

  /**
   * Changes the users. Nobody ever sees half of the change, and no other process changes them
   * meanwhile. When this returns the change outlives a loss of power.
   *
   * @throws FatalGridException if the file can't be read or written
   */
  void change(UnaryOperator<Map<String, User>> change) {
    try {
      Files.createDirectories(folder);
      try (FileChannel channel =
              FileChannel.open(
                  folder.resolve(NAME + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        assert lock.isValid();
        write(change.apply(new TreeMap<>(read())));
      }
    } catch (IOException | UncheckedIOException failure) {
      throw new FatalGridException(
          "users can't be written: file=%s, reason=%s; see to its folder".formatted(file, failure),
          failure);
    }
  }

  private void write(Map<String, User> users) throws IOException {
    if (users.size() > USERS_MAX) {
      throw new FatalGridException("too many users: limit=" + USERS_MAX, null);
    }
    replaced.write(ByteBuffer.wrap(text(users).getBytes(StandardCharsets.UTF_8)));
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** As Properties writes it, but in order and without the time. */
  private static String text(Map<String, User> users) throws IOException {
    StringBuilder text = new StringBuilder(HEADER);
    for (User user : users.values()) {
      Properties line = new Properties();
      line.setProperty(user.name, user.text());
      StringWriter written = new StringWriter();
      line.store(written, null);
      written
          .toString()
          .lines()
          .filter(l -> !l.startsWith("#"))
          .forEach(l -> text.append(l).append('\n'));
    }
    return text.toString();
  }
}
