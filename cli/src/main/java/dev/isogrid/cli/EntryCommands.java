package dev.isogrid.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands on single entries and on keys. */
final class EntryCommands {
  private static final String HEX_KEY = "application/octet-stream; encoding=hex";
  private static final String TEXT = "text/plain";
  private static final String OCTETS = "application/octet-stream";

  /** Keys that a query shows unless the command says otherwise. */
  private static final long RESULTS_MAX = 100;

  private static final List<String> HEADERS =
      List.of(
          "content-type",
          "etag",
          "timeToLiveSeconds",
          "maxIdleTimeSeconds",
          "created",
          "lastUsed",
          "last-modified",
          "expires");

  private EntryCommands() {}

  static List<Command> all() {
    Command put =
        withKey(Command.of("put", "Writes an entry.", EntryCommands::put))
            .option("-e --encoding", "TYPE", "Content type of the value, such as application/json.")
            .option("-f --file", "FILE", "File that holds the value, in place of VALUE.")
            .option("-l --ttl", "SECONDS", "Time to live; below 0 for no end.")
            .option("-i --max-idle", "SECONDS", "Time without use; below 0 for no end.")
            .flag("-a --if-absent", "Only if there is no such entry.")
            .operand("KEY", "Key.")
            .optional("VALUE", "Value.");
    Command get =
        withKey(Command.of("get", "Prints the value of an entry.", EntryCommands::get))
            .flag("-x --extended", "With its times, version and owners.")
            .option("-f --file", "FILE", "File to write the unchanged value into.")
            .option("--accept", "TYPE", "Format to print it in, such as application/json.")
            .operand("KEY", "Key.");
    Command query =
        Command.of("query", "Lists the keys that fit a pattern.", EntryCommands::query)
            .cacheOption()
            .option("--max-results", "COUNT", "Most keys; default 100, -1 for all.")
            .option("-o --offset", "COUNT", "Keys to leave out at the beginning.")
            .operand("PATTERN", "Pattern: * is any text, ? one character.");
    return List.of(
        put,
        get,
        withKey(Command.of("remove", "Removes an entry.", EntryCommands::remove))
            .operand("KEY", "Key."),
        query);
  }

  private static Command withKey(Command command) {
    return command
        .cacheOption()
        .flag("--hex", "KEY is hexadecimal digits of bytes, such as 0xCAFE.")
        .option("--key-type", "TYPE", "Content type of the key.");
  }

  private static RestRequest withKeyType(Call call, RestRequest request) {
    String type = call.flag("--hex") ? HEX_KEY : call.text("--key-type");
    return request.headerIfThere("Key-Content-Type", type);
  }

  private static void put(Call call) {
    String cache = call.cache();
    String key = call.operand(0);
    String file = call.text("--file");
    String value = call.operandOrNull(1);
    if ((file == null) == (value == null)) {
      throw new UsageFailure("put: give a value or --file FILE, and not both; see help put");
    }
    boolean isNew = call.flag("--if-absent");
    RestRequest request =
        isNew ? RestRequest.post("caches", cache, key) : RestRequest.put("caches", cache, key);
    String encoding = call.text("--encoding");
    String type = encoding != null ? encoding : file == null ? TEXT : typeOf(file);
    withKeyType(call, request)
        .header("Content-Type", type)
        .headerIfThere("timeToLiveSeconds", seconds(call, "--ttl"))
        .headerIfThere("maxIdleTimeSeconds", seconds(call, "--max-idle"))
        .body(file == null ? value.getBytes(StandardCharsets.UTF_8) : bytes(file));
    try {
      call.send(request);
    } catch (RestFailure failure) {
      if (isNew && failure.isConflict()) {
        throw new CommandFailure(
            "the entry exists already: cache=%s, key=%s; leave --if-absent out to replace it"
                .formatted(cache, key),
            failure);
      }
      throw failure;
    }
  }

  private static @Nullable String seconds(Call call, String option) {
    return call.text(option) == null ? null : String.valueOf(call.number(option, 0));
  }

  /** The content type that the name of a file suggests. */
  private static String typeOf(String file) {
    String name = file.toLowerCase(Locale.ROOT);
    if (name.endsWith(".json")) {
      return "application/json";
    }
    if (name.endsWith(".xml")) {
      return "application/xml";
    }
    return name.endsWith(".txt") ? TEXT : OCTETS;
  }

  /** The content of a file. */
  static byte[] bytes(String file) {
    try {
      return Files.readAllBytes(Path.of(file));
    } catch (IOException e) {
      throw new CommandFailure(
          "a file can't be read: file=%s, reason=%s; name another one"
              .formatted(file, FileTrouble.reason(e)),
          e);
    }
  }

  private static void get(Call call) {
    String cache = call.cache();
    String key = call.operand(0);
    RestRequest request =
        withKeyType(call, RestRequest.get("caches", cache, key))
            .headerIfThere("Accept", call.text("--accept"));
    RestReply reply = found(call, request, cache, key);
    String file = call.text("--file");
    if (file != null) {
      write(file, reply.bytes());
    } else if (call.flag("--extended")) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>();
      all.put("key", key);
      all.put("value", shown(reply));
      all.putAll(metadata(reply));
      RestRequest owners = RestRequest.get("caches", cache, key).query("action", "distribution");
      all.put("owners", call.send(withKeyType(call, owners)).object().get("owners"));
      call.printer().value(all);
    } else {
      print(call, reply);
    }
  }

  /** Prints a value: a text as text, other bytes as hexadecimal digits, or in Base64 for JSON. */
  static void print(Call call, RestReply reply) {
    if (call.printer().isJson()) {
      call.printer().value(shown(reply));
    } else {
      String text = Utf8.textOrNull(reply.bytes());
      call.printer().text(text == null ? hex(reply.bytes()) : text);
    }
  }

  private static RestReply found(Call call, RestRequest request, String cache, String key) {
    try {
      return call.send(request);
    } catch (RestFailure failure) {
      if (!failure.isNotFound() || !failure.text().startsWith("not found: ")) {
        throw failure;
      }
      throw noSuchEntry(cache, key, failure);
    }
  }

  private static CommandFailure noSuchEntry(String cache, String key, RestFailure reason) {
    return new CommandFailure(
        "no such entry: cache=%s, key=%s; query and ls list the keys".formatted(cache, key),
        reason);
  }

  private static void write(String file, byte[] bytes) {
    try {
      Files.write(Path.of(file), bytes);
    } catch (IOException e) {
      throw new CommandFailure(
          "a file can't be written: file=%s, reason=%s; name another one".formatted(file, e), e);
    }
  }

  /** A value of JSON as it is, a text as text, all else in Base64. */
  private static @Nullable Object shown(RestReply reply) {
    String text = Utf8.textOrNull(reply.bytes());
    if (text == null) {
      return Map.of("base64", Base64.getEncoder().encodeToString(reply.bytes()));
    }
    String type = reply.header("content-type");
    return type != null && type.startsWith("application/json") ? JsonText.parse(text) : text;
  }

  private static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }

  /** The metadata of an entry from the headers. */
  static Map<String, @Nullable Object> metadata(RestReply reply) {
    Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
    for (String name : HEADERS) {
      String value = reply.header(name);
      if (value != null) {
        metadata.put(name, value);
      }
    }
    return metadata;
  }

  private static void remove(Call call) {
    String cache = call.cache();
    String key = call.operand(0);
    found(call, withKeyType(call, RestRequest.delete("caches", cache, key)), cache, key);
  }

  private static void query(Call call) {
    String text = call.operand(0);
    String start = text.strip().toLowerCase(Locale.ROOT);
    if (start.startsWith("from ") || start.startsWith("select ")) {
      throw new UsageFailure(
          "queries of values are not supported; give a pattern of keys, such as query 'user:*'");
    }
    KeyPattern pattern = new KeyPattern(text);
    long max = call.number("--max-results", RESULTS_MAX);
    long skipped = call.number("--offset", 0);
    long fitting = 0;
    boolean isCut = false;
    try (KeyListing keys = KeyListing.keys(call.session().connection(), call.cache(), -1)) {
      call.printer().beginList();
      while (!isCut && keys.next()) {
        String key = keys.text();
        if (pattern.fits(key) && fitting++ >= skipped) {
          isCut = max >= 0 && fitting > skipped + max;
          if (!isCut) {
            call.printer().element(key);
          }
        }
      }
      call.printer().endList();
    }
    if (isCut) {
      call.session().note("more keys fit; --max-results -1 lists all");
    }
  }
}
