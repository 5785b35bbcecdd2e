package dev.isogrid.structure;

import dev.isogrid.api.CounterEvent;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.engine.EntryFunction;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.structure.CounterTable.Answer;
import dev.isogrid.structure.CounterTable.Outcome;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Applies operations on counters to an entry, on its primary. Stateless and thread-safe. */
public final class CounterFunction implements EntryFunction {
  /*
   *   argument: action 1, name length 2, name in UTF-8, first operand 8, second operand 8,
   *             and with DEFINE the counter
   *   answer:   outcome 1, the counter before, the counter afterwards, each after a byte that is 0
   *             if there is none
   *
   * Numbers have their high bytes first; a counter is as in CounterBucket.
   */

  /** The one instance. */
  public static final CounterFunction INSTANCE = new CounterFunction();

  /** The operations. Their numbers are in messages between nodes: new ones come last. */
  enum Action {
    DEFINE,
    ADD,
    COMPARE_AND_SWAP,
    GET_AND_SET,
    RESET,
    REMOVE,
    UNDEFINE,
    /** Defines a counter in its stored state, unless a later state of it exists. */
    RESTORE
  }

  private static final List<Action> ACTIONS = List.of(Action.values());
  private static final List<Outcome> OUTCOMES = List.of(Outcome.values());

  private CounterFunction() {}

  /**
   * The argument of the function.
   *
   * @param action the operation
   * @param name the name of the counter
   * @param first a difference, an expected value or a new one; 0 for none
   * @param second a new value; 0 for none
   * @param counter the counter to define or restore, else null
   */
  record Argument(
      Action action, String name, long first, long second, @Nullable CounterState counter) {
    byte[] toBytes() {
      byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
      CounterState defined = counter;
      int counterBytes = defined == null ? 0 : CounterBucket.STATE_BYTES;
      ByteBuffer out = ByteBuffer.allocate(1 + 2 + utf8.length + 2 * Long.BYTES + counterBytes);
      out.put((byte) ACTIONS.indexOf(action)).putShort((short) utf8.length).put(utf8);
      out.putLong(first).putLong(second);
      if (defined != null) {
        CounterBucket.put(out, defined);
      }
      return out.array();
    }

    static Argument of(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      try {
        Action action = ACTIONS.get(in.get());
        byte[] name = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(name);
        long first = in.getLong();
        long second = in.getLong();
        CounterState counter = hasCounter(action) ? CounterBucket.counter(in) : null;
        return new Argument(
            action, new String(name, StandardCharsets.UTF_8), first, second, counter);
      } catch (BufferUnderflowException | IndexOutOfBoundsException _) {
        throw CounterBucket.unreadable("argument=" + bytes.length);
      }
    }
  }

  private static boolean hasCounter(Action action) {
    return action == Action.DEFINE || action == Action.RESTORE;
  }

  @Override
  public byte[] apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect, byte[] argument) {
    Argument asked = Argument.of(argument);
    CounterBucket bucket =
        current.isPresent() ? CounterBucket.of(current.value().toByteArray()) : CounterBucket.EMPTY;
    Answer answer = decide(asked, bucket.find(asked.name));
    if (!Objects.equals(answer.before(), answer.after())) {
      CounterBucket next = bucket.with(asked.name, answer.after());
      if (!next.isEmpty()) {
        effect.store(Bytes.of(next.toBytes()), Expiry.UNLIMITED, Expiry.UNLIMITED);
      } else if (current.isPresent()) {
        effect.remove();
      }
    }
    return bytes(answer);
  }

  private static Answer decide(Argument asked, @Nullable CounterState current) {
    if (asked.action == Action.RESTORE) {
      return restore(current, Objects.requireNonNull(asked.counter));
    }
    if (asked.action == Action.DEFINE) {
      return current == null
          ? new Answer(Outcome.DONE, null, asked.counter)
          : new Answer(Outcome.BOUND, current, current);
    }
    if (current == null) {
      return Answer.UNKNOWN;
    }
    return switch (asked.action) {
      case DEFINE, RESTORE -> throw new AssertionError(asked.action);
      case ADD -> add(current, asked.first);
      case COMPARE_AND_SWAP ->
          current.value() == asked.first || current.config().isWeak()
              ? set(current, asked.second)
              : new Answer(Outcome.DONE, current, current);
      case GET_AND_SET -> set(current, asked.first);
      case RESET -> {
        long initial = current.config().initial();
        yield new Answer(Outcome.DONE, current, current.with(initial, CounterEvent.State.VALID));
      }
      case REMOVE -> new Answer(Outcome.DONE, current, current.begunAgain());
      case UNDEFINE -> new Answer(Outcome.DONE, current, null);
    };
  }

  private static Answer restore(@Nullable CounterState current, CounterState kept) {
    boolean isLatest = current == null || current.isBefore(kept);
    return new Answer(Outcome.DONE, current, isLatest ? kept : current);
  }

  private static Answer add(CounterState current, long delta) {
    CounterState next = current.plus(delta);
    boolean isWhole = next.state() == CounterEvent.State.VALID;
    return new Answer(isWhole ? Outcome.DONE : Outcome.BOUND, current, next);
  }

  private static Answer set(CounterState current, long value) {
    if (current.config().isWeak()) {
      throw new InvalidRequestException(
          "a weak counter can't be set: value=%d; reset it or add to it".formatted(value));
    }
    return current.allows(value)
        ? new Answer(Outcome.DONE, current, current.with(value, CounterEvent.State.VALID))
        : new Answer(Outcome.BOUND, current, current);
  }

  private static byte[] bytes(Answer answer) {
    ByteBuffer out = ByteBuffer.allocate(1 + 2 * (1 + CounterBucket.STATE_BYTES));
    out.put((byte) OUTCOMES.indexOf(answer.outcome()));
    put(out, answer.before());
    put(out, answer.after());
    return out.array();
  }

  private static void put(ByteBuffer out, @Nullable CounterState counter) {
    out.put((byte) (counter == null ? 0 : 1));
    if (counter != null) {
      CounterBucket.put(out, counter);
    }
  }

  /** Parses the answer of {@link #apply}. */
  static Answer answer(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      Outcome outcome = OUTCOMES.get(in.get());
      CounterState before = in.get() == 0 ? null : CounterBucket.counter(in);
      CounterState after = in.get() == 0 ? null : CounterBucket.counter(in);
      return new Answer(outcome, before, after);
    } catch (BufferUnderflowException | IndexOutOfBoundsException _) {
      throw CounterBucket.unreadable("answer=" + bytes.length);
    }
  }
}
