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
                "Lists what a path has: folders, names, or the keys of a cache.",
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
        Command.of("pwd", "Prints the path.", call -> call.printer().text(call.place().toString())),
        list,
        Command.of(
                "describe",
                "Shows all that is known of a cache, counter, schema, task, key or the server.",
                NavigationCommands::describe)
            .optional("PATH", "Path; default the present one."));
  }

  private static void move(Call call) {
    String path = call.operandOrNull(0);
    go(call.session(), path == null ? Place.ROOT : call.session().place().resolve(path));
  }

  /** Moves to a place, once it is known to exist. */
  static void go(Session session, Place place) {
    String name = place.name();
    RestConnection connection = session.connection();
    boolean exists =
        switch (place.names().size()) {
          case 0, 1 -> true;
          case 2 -> has(connection, place);
          default ->
              throw new UsageFailure("no folder: path=%s; a key has no members".formatted(place));
        };
    if (!exists) {
      throw new CommandFailure(
          "no such path: path=%s; ls %s lists what there is, name=%s"
              .formatted(place, place.names().getFirst(), name));
    }
    session.place(place);
  }

  private static boolean has(RestConnection connection, Place place) {
    String folder = place.names().getFirst();
    return folder.equals(Place.CACHES)
        ? connection.exists(RestRequest.head(Place.CACHES, place.name()))
        : names(connection, folder).contains(place.name());
  }

  /** The members of a folder of the root. */
  static List<String> names(RestConnection connection, String folder) {
    return switch (folder) {
      case Place.CACHES, Place.COUNTERS ->
          texts(connection.send(RestRequest.get(folder)).json(), null);
      case Place.SCHEMAS, Place.TASKS ->
          texts(connection.send(RestRequest.get(folder)).json(), "name");
      case Place.CONFIGURATIONS ->
          texts(
              connection
                  .send(RestRequest.get("container"))
                  .object()
                  .get("cache_configuration_names"),
              null);
      case Place.CLUSTER ->
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
    Place place = call.place();
    RestConnection connection = call.session().connection();
    switch (place.names().size()) {
      case 0 -> call.printer().list(Place.FOLDERS);
      case 1 -> call.printer().list(names(connection, place.name()));
      default -> {
        if (place.isMemberOf(Place.CACHES)) {
          listCache(call, connection, place.name());
        } else {
          call.printer().list(List.of(place.name()));
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
        RestRequest.get(Place.CACHES, cache)
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
    Place place = call.place();
    RestConnection connection = call.session().connection();
    Printer printer = call.printer();
    if (place.equals(Place.ROOT)) {
      printer.value(connection.send(RestRequest.get("container")).json());
    } else if (place.names().size() == 1) {
      printer.value(folder(connection, place.name()));
    } else if (place.isIn(Place.CACHES) && place.names().size() > 2) {
      describeKey(call, place.names().get(1), place.name());
    } else {
      printer.value(member(connection, place.names().getFirst(), place.name()));
    }
  }

  private static @Nullable Object folder(RestConnection connection, String folder) {
    return switch (folder) {
      case Place.CACHES ->
          connection.send(RestRequest.get(folder).query("action", "detailed")).json();
      case Place.CLUSTER -> connection.send(RestRequest.get(folder, "members")).json();
      case Place.CONFIGURATIONS -> names(connection, folder);
      default -> connection.send(RestRequest.get(folder)).json();
    };
  }

  private static @Nullable Object member(RestConnection connection, String folder, String name) {
    return switch (folder) {
      case Place.CACHES -> connection.send(RestRequest.get(folder, name)).json();
      case Place.COUNTERS -> counter(connection, name);
      case Place.SCHEMAS ->
          connection.send(RestRequest.get(folder, name).query("action", "detailed")).json();
      case Place.TASKS -> named(folder(connection, folder), "name", name);
      case Place.CONFIGURATIONS -> template(connection, name);
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
    if (!names(connection, Place.CONFIGURATIONS).contains(name)) {
      throw new CommandFailure(
          "no such configuration: name=%s; ls /configurations lists them".formatted(name));
    }
    return Map.of("name", name);
  }

  private static Map<?, ?> counter(RestConnection connection, String name) {
    Map<String, @Nullable Object> counter = new LinkedHashMap<>();
    counter.put("name", name);
    counter.put("value", connection.send(RestRequest.get(Place.COUNTERS, name)).json());
    counter.put(
        "configuration", connection.send(RestRequest.get(Place.COUNTERS, name, "config")).json());
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
