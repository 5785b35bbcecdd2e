package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands that choose a server. */
final class ConnectionCommands {
  private ConnectionCommands() {}

  static List<Command> all() {
    Command connect =
        withLogin(
                Command.of(
                    "connect",
                    "Connects to a server: an address such as https://host:11222, or a bookmark.",
                    ConnectionCommands::connect))
            .optional("URL", "Address or bookmark; default " + Target.DEFAULT_URL + ".");
    Command disconnect =
        Command.of("disconnect", "Forgets the server.", call -> call.session().disconnect());
    Command set =
        withLogin(
                Command.of(
                    "set",
                    "Keeps an address, or that of the present connection, under a name.",
                    ConnectionCommands::setBookmark))
            .option("--url", "URL", "Address; default that of the connection.")
            .operand("NAME", "Name of the bookmark.");
    Command bookmark =
        Command.group("bookmark", "Names for servers; they are kept without passwords.")
            .with(set)
            .with(Command.of("ls", "Lists all bookmarks.", ConnectionCommands::listBookmarks))
            .with(
                Command.of("get", "Shows a bookmark.", ConnectionCommands::getBookmark)
                    .operand("NAME", "Name of the bookmark."))
            .with(
                Command.of("remove", "Removes a bookmark.", ConnectionCommands::removeBookmark)
                    .operand("NAME", "Name of the bookmark."));
    Command status =
        Command.of(
            "status",
            "Shows the server, the user and the path.",
            call -> call.printer().value(call.session().state()));
    return List.of(connect, disconnect, bookmark, status);
  }

  /** Adds the options that say how to log in. */
  static Command withLogin(Command command) {
    return command
        .option("-u --user --username", "NAME", "User; the password is asked for.")
        .option(
            "--password-file", "FILE", "File whose first line is the password; - for the input.")
        .option("--token-file", "FILE", "File that holds a token (JWT).")
        .option("-t --truststore", "FILE", "Certificates to trust: PEM or PKCS12.")
        .option("--truststore-password-file", "FILE", "File with the password of that.")
        .option("-k --keystore", "FILE", "Own certificate and key: PKCS12.")
        .option("--keystore-password-file", "FILE", "File with the password of that.")
        .flag("--trustall", "Trusts every certificate; for tests only.");
  }

  /** The server that the options and an address or a bookmark name. */
  static Target target(Call call, @Nullable String named) {
    Target bookmark = named == null ? null : call.session().folder().bookmarks().get(named);
    Target known =
        bookmark != null
            ? bookmark
            : new Target(
                Target.url(named == null ? Target.DEFAULT_URL : named),
                null,
                null,
                null,
                TlsFiles.NONE);
    String user = call.text("--user");
    String passwordFile = call.text("--password-file");
    return new Target(
        known.url(),
        user == null ? known.user() : user,
        user == null && passwordFile == null ? known.passwordFile() : passwordFile,
        or(call.text("--token-file"), user == null ? known.tokenFile() : null),
        new TlsFiles(
            or(call.text("--truststore"), known.tls().trust()),
            or(call.text("--truststore-password-file"), known.tls().trustPasswordFile()),
            or(call.text("--keystore"), known.tls().key()),
            or(call.text("--keystore-password-file"), known.tls().keyPasswordFile()),
            call.flag("--trustall") || known.tls().trustsAll()));
  }

  private static @Nullable String or(@Nullable String given, @Nullable String otherwise) {
    return given == null ? otherwise : given;
  }

  private static void connect(Call call) {
    call.session().connect(target(call, call.operandOrNull(0)));
  }

  private static void setBookmark(Call call) {
    String url = call.text("--url");
    Session session = call.session();
    Target target =
        url == null && session.isConnected() ? session.connection().target() : target(call, url);
    Map<String, Target> all = session.folder().bookmarks();
    all.put(call.operand(0), target);
    session.folder().bookmarks(all);
  }

  private static void listBookmarks(Call call) {
    List<List<String>> rows = new ArrayList<>();
    call.session()
        .folder()
        .bookmarks()
        .forEach((name, target) ->
            rows.add(List.of(name, target.url().toString(), JsonText.text(target.user()))));
    call.printer().table(List.of("name", "url", "user"), rows);
  }

  private static Target known(Map<String, Target> all, String name) {
    Target target = all.get(name);
    if (target == null) {
      throw new CommandFailure(
          "no such bookmark: name=%s; there are %s".formatted(name, all.keySet()));
    }
    return target;
  }

  private static void getBookmark(Call call) {
    call.printer().value(known(call.session().folder().bookmarks(), call.operand(0)).toJson());
  }

  private static void removeBookmark(Call call) {
    Map<String, Target> all = call.session().folder().bookmarks();
    known(all, call.operand(0));
    all.remove(call.operand(0));
    call.session().folder().bookmarks(all);
  }
}
