package dev.isogrid.engine;

import dev.isogrid.api.Expiry;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A write that an {@link EntryFunction} decides upon, wherever the entry is. What it stores is not
 * mortal, and no bound of the cache keeps it from being stored. Used once; not thread-safe.
 */
public final class FunctionWrite implements Mutation<BinaryKey, Bytes> {
  private final EntryFunction function;
  private final byte[] argument;
  private byte @Nullable [] answer;

  /**
   * A write.
   *
   * @param function the one that all nodes have
   * @param argument what it is told; taken
   */
  public FunctionWrite(EntryFunction function, byte[] argument) {
    this.function = function;
    this.argument = argument;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    byte[] value = current.isPresent() ? current.value().toByteArray() : null;
    EntryFunction.Result result = function.apply(value, argument);
    answer = result.answer();
    byte[] next = result.value();
    if (result.changes() && next != null) {
      effect.store(Bytes.of(next), Expiry.UNLIMITED, Expiry.UNLIMITED);
    } else if (result.changes()) {
      effect.remove();
    }
  }

  EntryFunction function() {
    return function;
  }

  byte[] argument() {
    return argument;
  }

  /** Takes the answer of who carried it out. */
  void answer(byte[] given) {
    answer = given;
  }

  /** What the function answered, once the write was done. */
  public byte[] answer() {
    return Objects.requireNonNull(answer);
  }
}
