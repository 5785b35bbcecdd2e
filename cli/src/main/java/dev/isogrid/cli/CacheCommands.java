package dev.isogrid.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands on whole caches, and those that make and drop caches and counters. */
final class CacheCommands {
  private static final String CONFIGURATION = "--configuration";

  private CacheCommands() {}

  static List<Command> all() {
    Command alter =
        Command.group("alter", "Changes a cache.")
            .with(
                Command.of(
                        "cache",
                        "Changes attributes that may change while the cache exists.",
                        CacheCommands::alter)
                    .option("-f --file", "FILE", "Configuration in XML, JSON or YAML.")
                    .option("--attribute", "NAME", "Attribute, such as memory.max-count.")
                    .option("--value", "VALUE", "Its new value.")
                    .operand("CACHE", "Name of the cache."));
    Command drop =
        Command.group("drop", "Removes a cache or a counter.")
            .with(
                Command.of(
                        "cache",
                        "Removes a cache with its entries.",
                        call -> drop(call, TreePath.CACHES, "cache"))
                    .operand("CACHE", "Name of the cache."))
            .with(
                Command.of(
                        "counter",
                        "Removes a counter.",
                        call -> drop(call, TreePath.COUNTERS, "counter"))
                    .operand("COUNTER", "Name of the counter."));
    Command stats =
        Command.of("stats", "Shows the counts of a cache or the server.", CacheCommands::stats)
            .flag("--reset", "Counts anew from 0.")
            .optional("PATH", "Path of a cache; default the present one.");
    return List.of(
        Command.of("cache", "Selects a cache, as cd caches/NAME does.", CacheCommands::select)
            .optional("CACHE", "Name of the cache; without it the selected one is printed."),
        create(),
        alter,
        drop,
        stats,
        Command.of("clearcache", "Removes all entries of a cache.", CacheCommands::clear)
            .optional("CACHE", "Name of the cache; default the selected one."),
        Command.of("size", "Counts the entries of a cache in the cluster.", CacheCommands::size)
            .optional("CACHE", "Name of the cache; default the selected one."));
  }

  private static Command create() {
    Command cache =
        Command.of("cache", "Creates a cache.", CacheCommands::createCache)
            .option("-t --template", "NAME", "Template, such as org.infinispan.DIST_SYNC.")
            .option("-f --file", "FILE", "Configuration in XML, JSON or YAML.")
            .option("-c " + CONFIGURATION, "TEXT", "The configuration itself.")
            .flag("-v --volatile", "The cache ends with the cluster.")
            .operand("CACHE", "Name of the cache.")
            .optional("CONFIGURATION", "The configuration itself.");
    Command counter =
        Command.of("counter", "Creates a counter.", CacheCommands::createCounter)
            .option("-t --type", "TYPE", "weak or strong; default strong.")
            .option("-s --storage", "STORAGE", "VOLATILE or PERSISTENT; default VOLATILE.")
            .option("-c --concurrency-level", "COUNT", "Parts of a weak counter.")
            .option("-i --initial-value", "NUMBER", "Value at the beginning; default 0.")
            .option("-l --lower-bound", "NUMBER", "Least value of a strong counter.")
            .option("-u --upper-bound", "NUMBER", "Greatest value of a strong counter.")
            .operand("COUNTER", "Name of the counter.");
    return Command.group("create", "Creates a cache or a counter.").with(cache).with(counter);
  }

  private static void select(Call call) {
    String name = call.operandOrNull(0);
    if (name == null) {
      call.printer().text(call.cache());
    } else {
      NavigationCommands.go(call.session(), TreePath.of(TreePath.CACHES, name));
    }
  }

  private static void createCache(Call call) {
    String template = call.text("--template");
    String document = document(call);
    if (template == null && document == null) {
      throw new UsageFailure(
          "create cache: give --template NAME or --file FILE; ls configurations lists the"
              + " templates");
    }
    if (template != null && document != null) {
      throw new UsageFailure("create cache: give a template or a configuration, and not both");
    }
    RestRequest request =
        RestRequest.post(TreePath.CACHES, call.operand(0))
            .queryIfThere("template", template)
            .headerIfThere("flags", call.flag("--volatile") ? "VOLATILE" : null);
    if (document != null) {
      request.header("Content-Type", type(document)).body(document);
    }
    call.send(request);
  }

  private static @Nullable String document(Call call) {
    String file = call.text("--file");
    String option = call.text(CONFIGURATION);
    String text = option == null ? call.operandOrNull(1) : option;
    if (file != null && text != null) {
      throw new UsageFailure("create cache: give a file or a configuration, and not both");
    }
    if (file == null) {
      return text;
    }
    String content = Utf8.textOrNull(EntryCommands.bytes(file));
    if (content == null) {
      throw new CommandFailure("file is not UTF-8 text: file=%s; save it as UTF-8".formatted(file));
    }
    return content;
  }

  /** The content type of a document, by its first character. */
  static String type(String document) {
    String start = document.stripLeading();
    if (start.startsWith("<")) {
      return "application/xml";
    }
    return start.startsWith("{") ? "application/json" : "application/yaml";
  }

  private static void createCounter(Call call) {
    String type = call.text("--type");
    String kind = type == null ? "strong" : type.toLowerCase(Locale.ROOT);
    if (!kind.equals("weak") && !kind.equals("strong")) {
      throw new UsageFailure("unknown type: --type=%s; use weak or strong".formatted(type));
    }
    Map<String, @Nullable Object> attributes = new LinkedHashMap<>();
    for (String each :
        List.of("concurrency-level", "initial-value", "lower-bound", "upper-bound")) {
      if (call.text("--" + each) != null) {
        attributes.put(each, call.number("--" + each, 0));
      }
    }
    String storage = call.text("--storage");
    attributes.put("storage", storage == null ? "VOLATILE" : storage.toUpperCase(Locale.ROOT));
    String name = call.operand(0);
    RestRequest request =
        RestRequest.post(TreePath.COUNTERS, name)
            .header("Content-Type", "application/json")
            .body(JsonText.line(Map.of(kind + "-counter", attributes)));
    try {
      call.send(request);
    } catch (RestFailure failure) {
      if (failure.isNotModified()) {
        throw new CommandFailure(
            "the counter exists already: name=%s; drop it first, or use another name"
                .formatted(name),
            failure);
      }
      throw failure;
    }
  }

  private static void alter(Call call) {
    String name = call.operand(0);
    String file = call.text("--file");
    String attribute = call.text("--attribute");
    String value = call.text("--value");
    if (file != null && attribute == null && value == null) {
      String document = document(call);
      call.send(
          RestRequest.put(TreePath.CACHES, name)
              .header("Content-Type", type(String.valueOf(document)))
              .body(String.valueOf(document)));
    } else if (file == null && attribute != null && value != null) {
      call.send(
          RestRequest.post(TreePath.CACHES, name)
              .query("action", "set-mutable-attribute")
              .query("attribute-name", attribute)
              .query("attribute-value", value));
    } else {
      throw new UsageFailure(
          "alter cache: give --file FILE, or --attribute NAME with --value VALUE");
    }
  }

  private static void drop(Call call, String folder, String kind) {
    String name = call.operand(0);
    Session session = call.session();
    if (!session.asker().confirms("Remove the %s %s?".formatted(kind, name))) {
      throw new CommandFailure("not removed: %s=%s".formatted(kind, name));
    }
    try {
      call.send(RestRequest.delete(folder, name));
    } catch (RestFailure failure) {
      if (failure.isNotFound()) {
        throw new CommandFailure(
            "no such %s: name=%s; ls /%s lists them".formatted(kind, name, folder), failure);
      }
      throw failure;
    }
    if (session.path().equals(TreePath.of(folder, name))) {
      session.path(TreePath.of(folder));
    }
  }

  private static void stats(Call call) {
    TreePath path = call.path();
    if (path.isIn(TreePath.CACHES) && path.names().size() >= 2) {
      String cache = path.names().get(1);
      if (call.flag("--reset")) {
        call.send(RestRequest.post(TreePath.CACHES, cache).query("action", "stats-reset"));
        return;
      }
      Map<?, ?> stats =
          call.send(RestRequest.get(TreePath.CACHES, cache).query("action", "stats")).object();
      call.printer().value(stats);
      if (JsonText.number(stats.get("hits"), -1) < 0) {
        call.session()
            .note(
                "this cache does not count; alter cache %s --attribute statistics --value true"
                    .formatted(cache));
      }
      return;
    }
    if (call.flag("--reset")) {
      throw new UsageFailure("stats --reset is for a cache; name one");
    }
    call.printer().value(call.send(RestRequest.get("container", "stats")).json());
  }

  private static void clear(Call call) {
    String cache = call.cache(call.operandOrNull(0));
    if (!call.session().asker().confirms("Remove all entries of %s?".formatted(cache))) {
      throw new CommandFailure("not cleared: cache=" + cache);
    }
    call.send(RestRequest.post(TreePath.CACHES, cache).query("action", "clear"));
  }

  private static void size(Call call) {
    String cache = call.cache(call.operandOrNull(0));
    call.printer()
        .value(call.send(RestRequest.get(TreePath.CACHES, cache).query("action", "size")).json());
  }
}
