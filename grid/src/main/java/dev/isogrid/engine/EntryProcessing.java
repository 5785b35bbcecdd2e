package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;

/** Runs the code of users on entries, for other nodes. Thread-safe. */
public interface EntryProcessing {
  /**
   * Runs something on a thread for the code of users, some time. Does not block.
   *
   * @throws dev.isogrid.api.RetryableGridException if too much waits already
   */
  void begin(Runnable code);

  /**
   * Runs code on an entry, on such a thread.
   *
   * @param processor the code, as the caller sent it
   * @param current the live entry, or its absence; valid during the call
   * @param effect {@link Effect.Kind#LEAVE} at first; what the code wants
   * @return the result for the caller, or what the code threw; nothing is wanted then
   */
  ByteString process(
      CacheEngine<BinaryKey, Bytes> cache,
      ByteString processor,
      BinaryKey key,
      EntryView<BinaryKey, Bytes> current,
      Effect<Bytes> effect);

  /**
   * Whether this node is being closed. Code fails then for reasons that are none of the caller's,
   * so its results count for nothing, and another node runs it.
   */
  boolean isEnding();
}
