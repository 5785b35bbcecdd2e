package dev.isogrid.server.security;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.base.FileAccess;
import dev.isogrid.base.ReplacedFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The file of a server's users: {@code users.properties}, one line per user. It has no passwords.
 * But its DIGEST hashes permit a login by DIGEST, which is in the nature of that mechanism. So only
 * its owner may read it.
 *
 * <pre>
 * # key-of-unknown-users: secret, the source of {@link MadeUpKeys}
 * name=roles:admin,observer;SCRAM-SHA-256:iterations:salt:storedKey:serverKey;...
 *      ;DIGEST-SHA-256:realm:hash of name, realm and password;...
 * </pre>
 *
 * Thread-safe, between processes as well.
 */
final class UserFile {
  private static final System.Logger log = System.getLogger(UserFile.class.getName());
  static final String NAME = "users.properties";

  /** The most users; 10 KB each at most. */
  static final int USERS_MAX = 100_000;

  static final long SIZE_MAX = 256L << 20;
  private static final String HEADER =
      "# Users of an Isogrid server; change them by: isogrid user\n";

  /** The beginning of the line with the secret, which older versions treat as a comment. */
  private static final String SECRET = "# key-of-unknown-users: ";

  /** The length of the comments before the first user that are searched for the secret. */
  private static final int HEAD_LENGTH_MAX = 8192;

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
    this.replaced = new ReplacedFile(file, access, ownerOnly("rw-------"));
  }

  Path path() {
    return file;
  }

  /**
   * The content of the file.
   *
   * @param users by name
   * @param secret for {@link MadeUpKeys}; null if the file has none
   */
  record Content(Map<String, User> users, @Nullable String secret) {}

  /**
   * All users by name; empty if there is no file yet.
   *
   * @throws FatalGridException if the file can't be read; the message names it
   */
  Map<String, User> read() {
    return content().users();
  }

  /**
   * The content of the file; empty if there is no file yet.
   *
   * @throws FatalGridException if the file can't be read; the message names it
   */
  Content content() {
    Map<String, User> users = new TreeMap<>();
    if (!Files.exists(file)) {
      return new Content(users, null);
    }
    Properties lines = new Properties();
    String secret;
    try {
      if (Files.size(file) > SIZE_MAX) {
        throw unreadable("larger than " + SIZE_MAX + " bytes", null);
      }
      try (BufferedReader in = Files.newBufferedReader(file)) {
        secret = secret(in);
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
    if (secret != null && !MadeUpKeys.isSecret(secret)) {
      throw unreadable("line of the secret is damaged; remove it", null);
    }
    return new Content(Collections.unmodifiableMap(users), secret);
  }

  /** Finds the secret among the comments at the beginning, and resets the reader to the start. */
  private static @Nullable String secret(BufferedReader in) throws IOException {
    char[] head = new char[HEAD_LENGTH_MAX];
    in.mark(HEAD_LENGTH_MAX);
    int length = 0;
    for (int count = 0; count >= 0 && length < HEAD_LENGTH_MAX; ) {
      count = in.read(head, length, HEAD_LENGTH_MAX - length);
      length += Math.max(0, count);
    }
    in.reset();
    return new String(head, 0, length)
        .lines()
        .takeWhile(line -> line.startsWith("#"))
        .filter(line -> line.startsWith(SECRET))
        .map(line -> line.substring(SECRET.length()).strip())
        .findFirst()
        .orElse(null);
  }

  private FatalGridException unreadable(String reason, @Nullable Exception cause) {
    return new FatalGridException(
        "users can't be read: file=%s, %s; correct it or create it anew".formatted(file, reason),
        cause);
  }

  /**
   * Changes the users. The change is atomic for readers, and excludes changes by other processes.
   * After the return, it survives a power failure.
   *
   * @throws FatalGridException if the file can't be read or written
   */
  void change(UnaryOperator<Map<String, User>> change) {
    try {
      createFolder();
      inLock(() -> {
        Content before = content();
        String secret = before.secret();
        write(
            change.apply(new TreeMap<>(before.users())),
            secret == null ? MadeUpKeys.newSecret() : secret);
      });
    } catch (IOException | UncheckedIOException failure) {
      throw new FatalGridException(
          "users can't be written: file=%s, reason=%s; see to its folder".formatted(file, failure),
          failure);
    }
  }

  /**
   * Gives a file of an earlier version a secret, and changes nothing else. If that is not possible,
   * a warning is logged, and the file stays unchanged.
   *
   * @throws FatalGridException if the file can't be read
   */
  void addSecret() {
    if (!Files.exists(file) || content().secret() != null) {
      return;
    }
    try {
      inLock(() -> {
        if (content().secret() == null) {
          replace(SECRET + MadeUpKeys.newSecret() + '\n' + Files.readString(file), true);
        }
      });
    } catch (IOException failure) {
      log.log(
          Level.WARNING,
          () ->
              "users' file has no secret and can't be given one, so answers to unknown users differ"
                  + " after each start: file=%s, reason=%s; run isogrid user on it"
                      .formatted(file, failure));
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Creates the folder, for its owner only, unless it exists. */
  private void createFolder() throws IOException {
    if (!Files.isDirectory(folder)) {
      Path parent = folder.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.createDirectories(folder, ownerOnly("rwx------"));
    }
  }

  private void inLock(Step step) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(NAME + ".lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assert lock.isValid();
      step.run();
    }
  }

  private void write(Map<String, User> users, String secret) throws IOException {
    if (users.size() > USERS_MAX) {
      throw new FatalGridException("too many users: limit=" + USERS_MAX, null);
    }
    replace(text(users, secret), false);
  }

  /**
   * Replaces the file.
   *
   * @param asBefore whether it must have the same owner and permissions as the existing file
   */
  private void replace(String text, boolean asBefore) throws IOException {
    ByteBuffer content = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    try (ReplacedFile.Draft draft = replaced.draft(content)) {
      if (asBefore) {
        takePermissions(draft.path());
      }
      draft.keep();
    }
  }

  private void takePermissions(Path draft) throws IOException {
    if (!Files.getOwner(draft).equals(Files.getOwner(file))) {
      throw new IOException("the file is of another owner");
    }
    if (hasPosix()) {
      Files.setPosixFilePermissions(draft, Files.getPosixFilePermissions(file));
    }
  }

  /** Returns whether other accounts of the machine can write to the folder. */
  boolean isFolderOpen() {
    try {
      return hasPosix()
          && Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException _) {
      return false; // there is none
    }
  }

  /** Returns whether other accounts of the machine can read the file. */
  boolean isReadableByOthers() {
    try {
      return hasPosix()
          && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException _) {
      return false; // there is none
    }
  }

  private static boolean hasPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] ownerOnly(String permissions) {
    return hasPosix()
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }

  /** The format of Properties, but sorted and without the time. */
  private static String text(Map<String, User> users, String secret) throws IOException {
    StringBuilder text = new StringBuilder(HEADER).append(SECRET).append(secret).append('\n');
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
