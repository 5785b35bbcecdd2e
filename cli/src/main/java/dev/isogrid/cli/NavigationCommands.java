package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Commands that move in the tree of what a server has, and show it. */
final class NavigationCommands {
  private static final String PRETTY = "--pretty-print";

  private NavigationCommands() {}

  static List<Command> all() {
    Command list =
        Command.of(
                "ls",
                "Lists the content of a path: folders, names, or the keys of a cache.",
                NavigationCommands::list)
            .option("-f --format", "FORM", "Of a cache: NAMES, VALUES or FULL.")
            .flag("-l", "The same as --format FULL.")
            .option("-p " + PRETTY, "LAYOUT", "Of entries: TABLE, CSV or JSON.")
            .option("-m --max-items", "COUNT", "Most keys or entries; default all.")
            .option("--pattern", "PATTERN", "Keys that fit; * is any text, ? one character.")
            .optional("PATH", "Path; default the present one.");
    return List.of(
        Command.of("cd", "Moves to a path, such as caches/NAME, .. or /.", NavigationCommands::move)
            .optional("PATH", "Path; default the root."),
        Command.of("pwd", "Prints the path.", call -> call.printer().text(call.path().toString())),
        list,
        Command.of(
                "describe",
                "Shows all that is known of a cache, counter, schema, task, key or the server.",
                NavigationCommands::describe)
            .optional("PATH", "Path; default the present one."));
  }

  private static void move(Call call) {
    String path = call.operandOrNull(0);
    go(call.session(), path == null ? TreePath.ROOT : call.session().path().resolve(path));
  }

  /** Moves to a path, once it is known to exist. */
  static void go(Session session, TreePath path) {
    String name = path.name();
    RestConnection connection = session.connection();
    boolean exists =
        switch (path.names().size()) {
          case 0, 1 -> true;
          case 2 -> has(connection, path);
          default ->
              throw new UsageFailure("no folder: path=%s; a key has no members".formatted(path));
        };
    if (!exists) {
      throw new CommandFailure(
          "no such path: path=%s; ls %s lists the existing ones, name=%s"
              .formatted(path, path.names().getFirst(), name));
    }
    session.path(path);
  }

  private static boolean has(RestConnection connection, TreePath path) {
    String folder = path.names().getFirst();
    return folder.equals(TreePath.CACHES)
        ? connection.exists(RestRequest.head(TreePath.CACHES, path.name()))
        : names(connection, folder).contains(path.name());
  }

  /** The members of a folder of the root. */
  static List<String> names(RestConnection connection, String folder) {
    return switch (folder) {
      case TreePath.CACHES, TreePath.COUNTERS ->
          texts(connection.send(RestRequest.get(folder)).json(), null);
      case TreePath.SCHEMAS, TreePath.TASKS ->
          texts(connection.send(RestRequest.get(folder)).json(), "name");
      case TreePath.CONFIGURATIONS ->
          texts(
              connection
                  .send(RestRequest.get("container"))
                  .object()
                  .get("cache_configuration_names"),
              null);
      case TreePath.CLUSTER ->
          texts(
              connection.send(RestRequest.get("cluster", "members")).object().get("members"),
              "node_address");
      default -> throw new IllegalArgumentException("unknown folder: " + folder);
    };
  }

  private static List<String> texts(@Nullable Object array, @Nullable String member) {
    TreeSet<String> names = new TreeSet<>();
    for (Object each : JsonText.array(array)) {
      names.add(JsonText.text(member == null ? each : JsonText.object(each).get(member)));
    }
    return List.copyOf(names);
  }

  private static void list(Call call) {
    TreePath path = call.path();
    RestConnection connection = call.session().connection();
    switch (path.names().size()) {
      case 0 -> call.printer().list(TreePath.FOLDERS);
      case 1 -> call.printer().list(names(connection, path.name()));
      default -> {
        if (path.isMemberOf(TreePath.CACHES)) {
          listCache(call, connection, path.name());
        } else {
          call.printer().list(List.of(path.name()));
        }
      }
    }
  }

  private static void listCache(Call call, RestConnection connection, String cache) {
    String format = call.text("--format");
    String form = call.flag("-l") ? "FULL" : format == null ? "NAMES" : format;
    boolean isFull = form.equalsIgnoreCase("FULL");
    if (form.equalsIgnoreCase("NAMES")) {
      listKeys(call, connection, cache);
    } else if (isFull || form.equalsIgnoreCase("VALUES")) {
      listEntries(call, connection, cache, isFull);
    } else {
      throw new UsageFailure(
          "unknown form: --format=%s; use NAMES, VALUES or FULL".formatted(form));
    }
  }

  private static void listKeys(Call call, RestConnection connection, String cache) {
    String glob = call.text("--pattern");
    KeyPattern pattern = new KeyPattern(glob == null ? "*" : glob);
    long max = call.number("--max-items", -1);
    long asked = glob == null ? max : -1;
    try (KeyListing keys = KeyListing.keys(connection, cache, asked)) {
      call.printer().beginList();
      long shown = 0;
      while (shown != max && keys.next()) {
        String key = keys.text();
        if (pattern.fits(key)) {
          call.printer().element(key);
          shown++;
        }
      }
      call.printer().endList();
    }
  }

  private static void listEntries(
      Call call, RestConnection connection, String cache, boolean isFull) {
    RestRequest request =
        RestRequest.get(TreePath.CACHES, cache)
            .query("action", "entries")
            .query("metadata", String.valueOf(isFull))
            .query("limit", String.valueOf(call.number("--max-items", -1)));
    try (KeyListing entries = new KeyListing(connection, request)) {
      EntryRows rows = new EntryRows(call.printer(), layout(call), isFull);
      rows.begin();
      while (entries.next()) {
        rows.add(JsonText.object(entries.element()));
      }
      rows.end();
    }
  }

  private static EntryRows.Layout layout(Call call) {
    String text = call.text(PRETTY);
    if (call.printer().isJson()) {
      return EntryRows.Layout.JSON;
    }
    try {
      return text == null
          ? EntryRows.Layout.TABLE
          : EntryRows.Layout.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new UsageFailure(
          "unknown layout: %s=%s; use TABLE, CSV or JSON".formatted(PRETTY, text), e);
    }
  }

  private static void describe(Call call) {
    TreePath path = call.path();
    RestConnection connection = call.session().connection();
    Printer printer = call.printer();
    if (path.equals(TreePath.ROOT)) {
      printer.value(connection.send(RestRequest.get("container")).json());
    } else if (path.names().size() == 1) {
      printer.value(folder(connection, path.name()));
    } else if (path.isIn(TreePath.CACHES) && path.names().size() > 2) {
      describeKey(call, path.names().get(1), path.name());
    } else {
      printer.value(member(connection, path.names().getFirst(), path.name()));
    }
  }

  private static @Nullable Object folder(RestConnection connection, String folder) {
    return switch (folder) {
      case TreePath.CACHES ->
          connection.send(RestRequest.get(folder).query("action", "detailed")).json();
      case TreePath.CLUSTER -> connection.send(RestRequest.get(folder, "members")).json();
      case TreePath.CONFIGURATIONS -> names(connection, folder);
      default -> connection.send(RestRequest.get(folder)).json();
    };
  }

  private static @Nullable Object member(RestConnection connection, String folder, String name) {
    return switch (folder) {
      case TreePath.CACHES -> connection.send(RestRequest.get(folder, name)).json();
      case TreePath.COUNTERS -> counter(connection, name);
      case TreePath.SCHEMAS ->
          connection.send(RestRequest.get(folder, name).query("action", "detailed")).json();
      case TreePath.TASKS -> named(folder(connection, folder), "name", name);
      case TreePath.CONFIGURATIONS -> template(connection, name);
      default ->
          named(JsonText.object(folder(connection, folder)).get("members"), "node_address", name);
    };
  }

  /** A template of the server's own has no document; it is named all the same. */
  private static @Nullable Object template(RestConnection connection, String name) {
    RestRequest request = RestRequest.get("container", "cache-configs", "templates");
    for (Object each : JsonText.array(connection.send(request).json())) {
      if (name.equals(JsonText.object(each).get("name"))) {
        return each;
      }
    }
    if (!names(connection, TreePath.CONFIGURATIONS).contains(name)) {
      throw new CommandFailure(
          "no such configuration: name=%s; ls /configurations lists them".formatted(name));
    }
    return Map.of("name", name);
  }

  private static Map<?, ?> counter(RestConnection connection, String name) {
    Map<String, @Nullable Object> counter = new LinkedHashMap<>();
    counter.put("name", name);
    counter.put("value", connection.send(RestRequest.get(TreePath.COUNTERS, name)).json());
    counter.put(
        "configuration",
        connection.send(RestRequest.get(TreePath.COUNTERS, name, "config")).json());
    return counter;
  }

  private static Map<?, ?> named(@Nullable Object array, String member, String name) {
    List<String> others = new ArrayList<>();
    for (Object each : JsonText.array(array)) {
      Map<?, ?> object = JsonText.object(each);
      if (name.equals(object.get(member))) {
        return object;
      }
      others.add(JsonText.text(object.get(member)));
    }
    throw new CommandFailure("not found: name=%s; there are %s".formatted(name, others));
  }

  private static void describeKey(Call call, String cache, String key) {
    RestConnection connection = call.session().connection();
    Map<String, @Nullable Object> found = new LinkedHashMap<>();
    found.put("key", key);
    found.putAll(EntryCommands.metadata(connection.send(RestRequest.head("caches", cache, key))));
    RestRequest owners = RestRequest.get("caches", cache, key).query("action", "distribution");
    found.put("owners", connection.send(owners).object().get("owners"));
    call.printer().value(found);
  }
}
