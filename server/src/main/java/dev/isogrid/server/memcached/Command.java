package dev.isogrid.server.memcached;

import dev.isogrid.server.security.Requirements;
import java.util.Arrays;
import java.util.Locale;

/** The commands of the text protocol, the most frequent ones first. */
enum Command {
  GET,
  SET,
  GETS,
  MG,
  MS,
  DELETE,
  INCR,
  ADD,
  CAS,
  TOUCH,
  DECR,
  GAT,
  GATS,
  REPLACE,
  APPEND,
  PREPEND,
  MD,
  MA,
  ME,
  MN,
  BGET,
  QUIT,
  STATS,
  VERSION,
  VERBOSITY,
  FLUSH_ALL,
  SHUTDOWN,
  SLABS,
  LRU,
  LRU_CRAWLER,
  CACHE_MEMLIMIT,
  WATCH,
  UNKNOWN;

  private static final int LENGTH_MAX = 14;

  private static final Command[][] BY_LENGTH = new Command[LENGTH_MAX + 1][];

  static {
    for (int length = 0; length <= LENGTH_MAX; length++) {
      int wanted = length;
      BY_LENGTH[length] =
          Arrays.stream(values())
              .filter(command -> command != UNKNOWN && command.word.length == wanted)
              .toArray(Command[]::new);
    }
  }

  private final String text = name().toLowerCase(Locale.ROOT);

  @SuppressWarnings("ImmutableEnumChecker") // never written to
  private final byte[] word = Reply.ascii(text);

  private final int needed = Requirements.memcached(name());

  /** Its word. */
  String text() {
    return text;
  }

  /** The permissions that it needs; see {@link Requirements}. */
  int needed() {
    return needed;
  }

  /** Whether a block of bytes follows its line. */
  boolean hasBlock() {
    return switch (this) {
      case SET, ADD, REPLACE, APPEND, PREPEND, CAS, MS -> true;
      default -> false;
    };
  }

  /** The command of the word in a part of an array. */
  static Command of(byte[] text, int start, int length) {
    if (length <= LENGTH_MAX) {
      for (Command command : BY_LENGTH[length]) {
        byte[] word = command.word;
        if (Arrays.equals(text, start, start + length, word, 0, length)) {
          return command;
        }
      }
    }
    return UNKNOWN;
  }
}
