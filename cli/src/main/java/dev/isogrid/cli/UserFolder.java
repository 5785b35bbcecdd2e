package dev.isogrid.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The folder of the user's own files: {@code ~/.config/isogrid}, or {@code isogrid} in the folder
 * that {@code XDG_CONFIG_HOME} names. Its files are for their owner only, and hold no passwords.
 */
final class UserFolder {
  private static final String BOOKMARKS = "bookmarks.json";
  private static final String ALIASES = "aliases.json";
  private static final String HISTORY = "history";

  /** The environment's name of the launcher's path; the launcher sets it. */
  static final String LAUNCHER = "ISOGRID_LAUNCHER";

  private final Path folder;
  private final @Nullable String launcher;

  /** Takes the folder from the environment. */
  UserFolder(UnaryOperator<@Nullable String> environment) {
    launcher = environment.apply(LAUNCHER);
    String config = environment.apply("XDG_CONFIG_HOME");
    String home = environment.apply("HOME");
    Path parent =
        config != null && !config.isBlank()
            ? Path.of(config)
            : Path.of(home == null ? System.getProperty("user.home") : home, ".config");
    folder = parent.resolve("isogrid");
  }

  /** The program that started this one, or null if that is unknown. */
  @Nullable String launcher() {
    return launcher;
  }

  /** Bookmarks of servers, by name. */
  Map<String, Target> bookmarks() {
    Map<String, Target> bookmarks = new TreeMap<>();
    read(BOOKMARKS)
        .forEach((name, json) ->
            bookmarks.put(String.valueOf(name), Target.ofJson(JsonText.object(json))));
    return bookmarks;
  }

  /** Keeps bookmarks in place of those before. */
  void bookmarks(Map<String, Target> bookmarks) {
    Map<String, @Nullable Object> json = new TreeMap<>();
    bookmarks.forEach((name, target) -> json.put(name, target.toJson()));
    write(BOOKMARKS, json);
  }

  /** Names that stand for commands. */
  Map<String, String> aliases() {
    Map<String, String> aliases = new TreeMap<>();
    read(ALIASES)
        .forEach((name, command) -> aliases.put(String.valueOf(name), JsonText.text(command)));
    return aliases;
  }

  /** Keeps aliases in place of those before. */
  void aliases(Map<String, String> aliases) {
    write(ALIASES, new TreeMap<String, @Nullable Object>(aliases));
  }

  /** The file with the commands of earlier sessions; it exists, for its owner only. */
  Path history() {
    Path file = folder.resolve(HISTORY);
    try {
      makeFolder();
      if (!Files.exists(file)) {
        makePrivate(file);
      }
    } catch (IOException e) {
      throw unwritable(file, e);
    }
    return file;
  }

  private Map<?, ?> read(String name) {
    Path file = folder.resolve(name);
    try {
      return Files.exists(file)
          ? JsonText.object(JsonText.parse(Files.readString(file)))
          : Map.of();
    } catch (IOException e) {
      throw new CommandFailure(
          "a file can't be read: file=%s, reason=%s; make it readable, or remove it"
              .formatted(file, FileTrouble.reason(e)),
          e);
    }
  }

  /** Writes a file at once or not at all. */
  private void write(String name, Map<String, @Nullable Object> json) {
    Path file = folder.resolve(name);
    Path draft = folder.resolve(name + ".new");
    try {
      makeFolder();
      Files.deleteIfExists(draft);
      makePrivate(draft);
      Files.writeString(draft, JsonText.pretty(json) + "\n", StandardCharsets.UTF_8);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private void makeFolder() throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(folder);
    if (isPosix(folder)) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  private static void makePrivate(Path file) throws IOException {
    Files.createFile(file);
    if (isPosix(file)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static CommandFailure unwritable(Path file, IOException reason) {
    return new CommandFailure(
        "a file can't be written: file=%s, reason=%s; check the folder's permissions, or set"
                .formatted(file, reason)
            + " XDG_CONFIG_HOME to another one",
        reason);
  }
}
