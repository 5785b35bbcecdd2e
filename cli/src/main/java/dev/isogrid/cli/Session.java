package dev.isogrid.cli;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state between commands: the server, the path in its tree, and names of the user's own. For
 * one thread.
 */
final class Session implements AutoCloseable {
  private final Printer printer;
  private final PrintStream err;
  private final UserFolder folder;
  private final LongSupplier nanoClock;
  private Asker asker;
  private final Map<String, String> aliases = new TreeMap<>();
  private @Nullable RestConnection connection;
  private @Nullable Target first;
  private TreePath path = TreePath.ROOT;
  private String title = "";
  private boolean isOver;

  /**
   * Creates a session that connects when a command first needs it.
   *
   * @param err where notes and progress go; borrowed
   * @param asker asks the user
   * @param nanoClock a monotonic clock
   */
  Session(
      Printer printer, PrintStream err, UserFolder folder, Asker asker, LongSupplier nanoClock) {
    this.printer = printer;
    this.err = err;
    this.folder = folder;
    this.asker = asker;
    this.nanoClock = nanoClock;
  }

  /** Sets the server to connect to when a command first needs one. */
  void startAt(Target target) {
    first = target;
  }

  Printer printer() {
    return printer;
  }

  /** Where notes and progress go. */
  PrintStream err() {
    return err;
  }

  /** A monotonic clock. */
  LongSupplier nanoClock() {
    return nanoClock;
  }

  UserFolder folder() {
    return folder;
  }

  Asker asker() {
    return asker;
  }

  /** Lets another one ask. */
  void asker(Asker other) {
    asker = other;
  }

  /** Names that stand for commands. */
  Map<String, String> aliases() {
    return aliases;
  }

  TreePath path() {
    return path;
  }

  void path(TreePath path) {
    this.path = path;
  }

  /** Whether a command ended the session. */
  boolean isOver() {
    return isOver;
  }

  /** Ends the session after the present command. */
  void end() {
    isOver = true;
  }

  boolean isConnected() {
    return connection != null;
  }

  /**
   * The connection.
   *
   * @throws CommandFailure if there is none
   */
  RestConnection connection() {
    RestConnection known = connection;
    if (known != null) {
      return known;
    }
    Target target = first;
    if (target == null) {
      throw new CommandFailure(
          "not connected; use connect [URL], or begin with -c URL; the default is "
              + Target.DEFAULT_URL);
    }
    try {
      return connect(target);
    } catch (CommandFailure failure) {
      first = target; // the next command of a script may find it
      throw failure;
    }
  }

  /**
   * Connects to a server in place of the one before, and checks that it answers this user.
   *
   * @throws CommandFailure if it does not; the session is not connected then
   */
  RestConnection connect(Target target) {
    disconnect();
    RestConnection made = new RestConnection(target, login(target));
    try {
      made.send(RestRequest.get("caches"));
      title = title(made);
    } catch (CommandFailure failure) {
      made.close();
      throw failure;
    }
    connection = made;
    return made;
  }

  private Login login(Target target) {
    String file = target.passwordFile();
    String user = target.user();
    String tokenFile = target.tokenFile();
    return new Login(
        user,
        () ->
            file == null
                ? asker.password("Password of %s at %s: ".formatted(user, target.url()))
                : SecretFile.wholeLine(file),
        () -> tokenFile == null ? null : SecretFile.firstLine(tokenFile));
  }

  /** The node and the cluster, as far as the user may know them. */
  private static String title(RestConnection made) {
    try {
      Map<?, ?> container = made.send(RestRequest.get("container")).object();
      return "%s@%s"
          .formatted(
              JsonText.text(container.get("node_address")),
              JsonText.text(container.get("cluster_name")));
    } catch (RestFailure notPermitted) {
      return made.target().url().getAuthority();
    }
  }

  /** Forgets the server. */
  void disconnect() {
    first = null;
    path = TreePath.ROOT;
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  /** The text before the cursor. */
  String prompt() {
    String where = connection == null ? "disconnected" : title + path;
    return "[" + where + "]> ";
  }

  /** Prints a note for readers, apart from the results. */
  void note(String text) {
    err.println(text);
  }

  /** The fields of the prompt, for programs. */
  Map<String, @Nullable Object> state() {
    Map<String, @Nullable Object> state = new LinkedHashMap<>();
    state.put("url", connection == null ? null : connection.target().url().toString());
    state.put("user", connection == null ? null : connection.target().user());
    state.put("path", path.toString());
    return state;
  }

  @Override
  public void close() {
    disconnect();
  }
}
