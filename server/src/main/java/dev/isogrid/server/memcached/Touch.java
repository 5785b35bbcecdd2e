package dev.isogrid.server.memcached;

import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryReader;
import dev.isogrid.store.EntryView;
import dev.isogrid.store.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * Gives an entry a new lifespan; its value, version and max idle stay. Reusable; not thread-safe.
 */
final class Touch implements Mutation<BinaryKey, Bytes> {
  private final @Nullable EntryReader<BinaryKey, Bytes> reader;
  private long lifespanMillis;
  private boolean found;

  /**
   * Makes a touch.
   *
   * @param reader called with the entry if there is one, under the segment's lock; or null
   */
  Touch(@Nullable EntryReader<BinaryKey, Bytes> reader) {
    this.reader = reader;
  }

  /** Sets the new lifespan in milliseconds, or unlimited. */
  Touch to(long lifespanMillis) {
    this.lifespanMillis = lifespanMillis;
    return this;
  }

  @Override
  public void apply(EntryView<BinaryKey, Bytes> current, Effect<Bytes> effect) {
    found = current.isPresent();
    if (found) {
      if (reader != null) {
        reader.read(current);
      }
      effect.touch(lifespanMillis, current.maxIdleMillis());
    }
  }

  /** Touches the entry of the current key; returns whether there is one. */
  boolean perform(Conversation conversation) {
    conversation.write(this);
    Counters counters = conversation.counters;
    (found ? counters.touchHits : counters.touchMisses).increment();
    return found;
  }
}
