package dev.isogrid.server.memcached;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Commands of memcached, one per word. */
public final class CommandSample {
  private static final Map<String, String> ARGUMENTS =
      Map.ofEntries(
          Map.entry("get", "k"),
          Map.entry("gets", "k"),
          Map.entry("bget", "k"),
          Map.entry("mg", "k v"),
          Map.entry("me", "k"),
          Map.entry("ms", "k 1\r\nv"),
          Map.entry("md", "k"),
          Map.entry("ma", "k"),
          Map.entry("mn", ""),
          Map.entry("gat", "0 k"),
          Map.entry("gats", "0 k"),
          Map.entry("set", "k 0 0 1\r\nv"),
          Map.entry("add", "k 0 0 1\r\nv"),
          Map.entry("replace", "k 0 0 1\r\nv"),
          Map.entry("append", "k 0 0 1\r\nv"),
          Map.entry("prepend", "k 0 0 1\r\nv"),
          Map.entry("cas", "k 0 0 1 1\r\nv"),
          Map.entry("incr", "k 1"),
          Map.entry("decr", "k 1"),
          Map.entry("touch", "k 0"),
          Map.entry("delete", "k"),
          Map.entry("flush_all", ""),
          Map.entry("stats", ""),
          Map.entry("version", ""),
          Map.entry("verbosity", "1"),
          Map.entry("cache_memlimit", "64"),
          Map.entry("lru_crawler", "metadump all"),
          Map.entry("lru", "mode flat"),
          Map.entry("slabs", "automove 0"),
          Map.entry("shutdown", ""),
          Map.entry("watch", "mutations"),
          Map.entry("unknown", ""),
          Map.entry("quit", ""));

  private CommandSample() {}

  /** The words of all known commands, and one unknown word. */
  public static List<String> words() {
    return Arrays.stream(Command.values())
        .map(command -> command.name().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** A command of a word. */
  public static String of(String word) {
    String arguments = ARGUMENTS.get(word);
    if (arguments == null) {
      throw new AssertionError("no sample of a command: word=" + word);
    }
    return arguments.isEmpty() ? word + "\r\n" : word + " " + arguments + "\r\n";
  }
}
