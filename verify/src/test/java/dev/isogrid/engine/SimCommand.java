package dev.isogrid.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The commands of the simulated clients, on a key that holds a number or nothing, or on the scope
 * of keys.
 *
 * @param kind what to do
 * @param key the key, or the scope that is cleared
 * @param expected what a condition compares with
 * @param value what is stored
 */
record SimCommand(Kind kind, Object key, @Nullable Object expected, @Nullable Object value)
    implements Command {
  enum Kind {
    GET,
    PUT,
    REMOVE,
    PUT_IF_ABSENT,
    REPLACE,
    CLEAR
  }

  @Override
  public boolean isRead() {
    return kind == Kind.GET;
  }

  @Override
  public Decision decide(@Nullable Object current, long seq, long nextSeq) {
    return switch (kind) {
      case GET -> new Decision(false, null, current);
      case PUT -> new Decision(true, value, current);
      case REMOVE -> new Decision(current != null, null, current);
      case PUT_IF_ABSENT -> new Decision(current == null, value, current);
      case CLEAR -> new Decision(true, null, null);
      case REPLACE -> {
        boolean matches = current != null && Objects.equals(current, expected);
        yield new Decision(matches, value, matches);
      }
    };
  }
}
