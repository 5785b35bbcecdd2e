package dev.isogrid.node;

import dev.isogrid.api.EntryProcessor;
import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.GridException;
import dev.isogrid.api.NodeFailureNote;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.CacheEngine;
import dev.isogrid.engine.EntryProcessing;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.Effect;
import dev.isogrid.store.EntryView;
import java.io.Serializable;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs entry processors that came from other nodes. Thread-safe. */
final class CacheProcessing implements EntryProcessing {
  /** The name of the shipped object, for messages. */
  static final String PROCESSOR = "an entry processor";

  private static final String RESULT = "the result of an entry processor";

  /**
   * The outcome of a processor.
   *
   * @param node where it ran
   * @param result what it gave
   * @param failure what it threw, or null
   */
  private record Processed(String node, @Nullable Object result, @Nullable Throwable failure)
      implements Serializable {}

  private final Function<String, EmbeddedCache<?, ?, ?, ?>> caches;
  private final ObjectShipping shipping;
  private final UserThreads threads;
  private final String node;
  private final BooleanSupplier ending;

  /**
   * For a node.
   *
   * @param caches gives a cache, or throws if there is none
   * @param node the node's name
   * @param ending says whether the node is being closed
   */
  CacheProcessing(
      Function<String, EmbeddedCache<?, ?, ?, ?>> caches,
      ObjectShipping shipping,
      UserThreads threads,
      String node,
      BooleanSupplier ending) {
    this.caches = caches;
    this.shipping = shipping;
    this.threads = threads;
    this.node = node;
    this.ending = ending;
  }

  @Override
  public boolean isEnding() {
    return ending.getAsBoolean();
  }

  @Override
  public void begin(Runnable code) {
    threads.begin(code);
  }

  @Override
  @SuppressWarnings("unchecked") // who sent it says that it fits the cache
  public ByteString process(
      CacheEngine<BinaryKey, Bytes> cache,
      ByteString processor,
      BinaryKey key,
      EntryView<BinaryKey, Bytes> current,
      Effect<Bytes> effect) {
    try {
      EmbeddedCache<Object, Object, BinaryKey, Bytes> embedded =
          (EmbeddedCache<Object, Object, BinaryKey, Bytes>) caches.apply(cache.name());
      Object code = shipping.fromBytes(processor, PROCESSOR);
      if (!(code instanceof EntryProcessor<?, ?, ?> known)) {
        throw new FatalGridException("no entry processor: object=" + code);
      }
      Object result =
          embedded.process((EntryProcessor<Object, Object, ?>) known, key, current, effect);
      return shipping.toBytes(new Processed(node, result, null), RESULT);
    } catch (Throwable thrown) { // tidy: top of the user's code; all goes to the caller
      effect.clear();
      return failure(thrown);
    }
  }

  private ByteString failure(Throwable thrown) {
    try {
      return shipping.toBytes(new Processed(node, null, thrown), RESULT);
    } catch (GridException notSerializable) {
      RuntimeException instead = new RuntimeException(thrown.toString());
      instead.setStackTrace(thrown.getStackTrace());
      return shipping.toBytes(new Processed(node, null, instead), RESULT);
    }
  }

  /**
   * The result of a processor on another node.
   *
   * @throws RuntimeException what it threw there
   */
  static @Nullable Object result(ByteString answer, ObjectShipping shipping) {
    if (!(shipping.fromBytes(answer, RESULT) instanceof Processed processed)) {
      throw new FatalGridException("no result of an entry processor; run the same version");
    }
    Throwable failure = processed.failure();
    if (failure == null) {
      return processed.result();
    }
    failure.addSuppressed(new NodeFailureNote(processed.node()));
    switch (failure) {
      case RuntimeException thrown -> throw thrown;
      case Error thrown -> throw thrown;
      default -> throw new FatalGridException("an entry processor threw: " + failure, failure);
    }
  }
}
