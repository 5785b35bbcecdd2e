package dev.isogrid.structure;

import dev.isogrid.engine.ClientOperation;
import dev.isogrid.engine.EntryFunction;
import dev.isogrid.engine.FunctionWrite;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A change of a counter. Used once; not thread-safe. */
final class CounterWrite implements FunctionWrite {
  private final byte[] argument;
  private final ClientOperation.@Nullable Source client;
  private byte @Nullable [] answer;

  /**
   * Makes a change.
   *
   * @param argument one that {@link CounterFunction} understands; taken
   * @param client identifies the operation of a client, or null
   */
  CounterWrite(byte[] argument, ClientOperation.@Nullable Source client) {
    this.argument = argument;
    this.client = client;
  }

  @Override
  public ClientOperation.@Nullable Source client() {
    return client;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    answer = CounterFunction.INSTANCE.apply(current, effect, argument);
  }

  @Override
  public EntryFunction function() {
    return CounterFunction.INSTANCE;
  }

  @Override
  public byte[] argument() {
    return argument;
  }

  @Override
  public void answer(byte[] given) {
    answer = given;
  }

  /** The answer of the function, after the write. */
  byte[] answer() {
    return Objects.requireNonNull(answer);
  }
}
