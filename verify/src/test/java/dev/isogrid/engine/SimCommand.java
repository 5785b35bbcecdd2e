package dev.isogrid.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the simulated clients, on a key that holds a number or nothing, or on the scope
 * of keys. Twins are keys of one segment that are written together only.
 *
 * @param kind the kind
 * @param key the key, or the scope that is cleared
 * @param expected the value of a condition
 * @param value the value to store
 * @param isLossy whether the entry may have vanished by itself before
 */
record SimCommand(
    Kind kind, Object key, @Nullable Object expected, @Nullable Object value, boolean isLossy)
    implements Command {
  /** A command on an entry that does not vanish by itself. */
  SimCommand(Kind kind, Object key, @Nullable Object expected, @Nullable Object value) {
    this(kind, key, expected, value, false);
  }

  enum Kind {
    GET,
    PUT,
    /** Stores without an answer. */
    SET,
    /** Adds to a number, or to 0; the answer is the sum. */
    ADD,
    REMOVE,
    PUT_IF_ABSENT,
    REPLACE,
    CLEAR,
    /** Gives all twins of a segment a value; the key is their scope. */
    PUT_TWINS,
    /** Reads all twins of a segment at once; {@code expected} is the list of them. */
    GET_TWINS,
    /** Reads one of the twins. */
    GET_TWIN,
    /**
     * Stores a value if the entry is unchanged since the command was prepared, as {@link
     * ProcessEntry} does; {@code expected} is a {@link Seen} from then on.
     */
    PROCESS
  }

  /** The entry at the time when a command was prepared. */
  record Seen(@Nullable Object value) {}

  /**
   * The answer to a command that changed nothing, because the entry changed after its preparation.
   */
  static final Object AGAIN = "again";

  boolean isUnprepared() {
    return kind == Kind.PROCESS && expected == null;
  }

  SimCommand prepared(@Nullable Object seen) {
    return new SimCommand(kind, key, new Seen(seen), value);
  }

  /** The command with the same effect and answer from the view of the client, if there is any. */
  SimCommand wanted() {
    return kind == Kind.PROCESS ? new SimCommand(Kind.PUT, key, null, value) : this;
  }

  @Override
  public boolean isRead() {
    return kind == Kind.GET || kind == Kind.GET_TWINS || kind == Kind.GET_TWIN;
  }

  @Override
  public @Nullable Object read(CommittedEntries entries) {
    if (kind == Kind.GET_TWIN) {
      return entries.value(key);
    }
    if (kind != Kind.GET_TWINS || !(expected instanceof List<?> twins)) {
      return Command.super.read(entries);
    }
    Map<Object, Object> found = new HashMap<>();
    for (Object twin : twins) {
      Object stored = entries.value(twin);
      if (stored != null) {
        found.put(twin, stored);
      }
    }
    return found;
  }

  @Override
  public Decision decide(@Nullable Object current, long seq, long nextSeq) {
    return switch (kind) {
      case GET -> new Decision(false, null, current);
      case PUT -> new Decision(true, value, current);
      case SET -> new Decision(true, value, null);
      case ADD -> {
        long sum = (current == null ? 0 : (long) current) + (long) Objects.requireNonNull(value);
        yield new Decision(true, sum, sum);
      }
      case REMOVE -> new Decision(current != null, null, current);
      case PUT_IF_ABSENT -> new Decision(current == null, value, current);
      case CLEAR -> new Decision(true, null, null);
      case PROCESS -> {
        Seen seen = (Seen) expected;
        boolean isSame = seen != null && Objects.equals(seen.value, current);
        // The preparation made the answer.
        yield new Decision(isSame, value, seen != null && isSame ? seen.value : AGAIN);
      }
      case PUT_TWINS -> new Decision(true, value, null);
      case GET_TWINS ->
          new Decision(false, null, current instanceof ManyValues all ? all.byKey() : Map.of());
      case GET_TWIN ->
          new Decision(false, null, current instanceof ManyValues all ? all.value(key) : null);
      case REPLACE -> {
        boolean matches = current != null && Objects.equals(current, expected);
        yield new Decision(matches, value, matches);
      }
    };
  }

  /** The effect of a command on an entry if its outcome is unknown. */
  Decision attempted(@Nullable Object current) {
    Decision usual = decide(current, 0, 0);
    return usual.changes() || !isLossy ? usual : decide(null, 0, 0);
  }

  /** The effect of a command on an entry, given its answer; null if the answer is impossible. */
  @Nullable Decision explained(@Nullable Object current, @Nullable Object seen) {
    Decision usual = decide(current, 0, 0);
    if (Objects.equals(usual.result(), seen)) {
      return usual;
    }
    Decision ifGone = isLossy ? decide(null, 0, 0) : usual;
    if (!Objects.equals(ifGone.result(), seen)) {
      return null;
    }
    // A lost entry may come back with another replica, but not after its removal.
    return kind == Kind.REMOVE ? new Decision(true, null, null) : ifGone;
  }
}
