package dev.isogrid.engine;

import dev.isogrid.api.GridException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.codec.ByteString;
import dev.isogrid.engine.SegmentMessage.Operation;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Has the code of users run that operations need before the primary can decide on them: so that no
 * such code runs on the thread that drives the node. All calls are made under the driver's lock.
 */
final class EntryPreparation {
  /*
   * An operation that is asked for again while it is being prepared is not prepared twice; the
   * newest attempt is what the primary gets. What there is no thread for is dropped, as if it had
   * been lost on its way: the caller asks again.
   */
  /** More than threads for it could do while their callers wait. */
  private static final int PREPARING_MAX = 2000;

  private final IntFunction<@Nullable ReplicatedEngine> caches;
  private final EntryProcessing processing;
  private final Map<OperationId, Operation> preparing = new HashMap<>();

  /**
   * Begins without operations.
   *
   * @param caches gives a cache of this node by its id, or null
   */
  EntryPreparation(IntFunction<@Nullable ReplicatedEngine> caches, EntryProcessing processing) {
    this.caches = caches;
    this.processing = processing;
  }

  /**
   * Takes an operation that needs preparation.
   *
   * @param whenPrepared gets the operation's id and its command when it is prepared, on another
   *     thread, without the lock
   * @return whether it was taken
   */
  boolean tryTake(Operation operation, BiConsumer<OperationId, ProcessEntry> whenPrepared) {
    if (!(operation.command() instanceof ProcessEntry command)) {
      return false;
    }
    ReplicatedEngine cache = caches.apply(command.key().cacheId());
    if (cache == null) {
      return false;
    }
    boolean isKnown = preparing.containsKey(operation.id());
    if (!isKnown && preparing.size() >= PREPARING_MAX) {
      return true;
    }
    preparing.put(operation.id(), operation);
    if (!isKnown) {
      begin(operation.id(), command, cache, whenPrepared);
    }
    return true;
  }

  private void begin(
      OperationId id,
      ProcessEntry command,
      ReplicatedEngine cache,
      BiConsumer<OperationId, ProcessEntry> whenPrepared) {
    try {
      processing.begin(() -> {
        ProcessEntry prepared = prepared(command, cache);
        if (!processing.isEnding()) { // else the caller asks the next primary
          whenPrepared.accept(id, prepared);
        }
      });
    } catch (RetryableGridException full) {
      preparing.remove(id);
    }
  }

  private ProcessEntry prepared(ProcessEntry command, ReplicatedEngine cache) {
    try {
      return cache.prepared(command, processing);
    } catch (Throwable impossible) { // tidy: as the user's code; all goes to the caller
      String reason =
          impossible instanceof GridException
              ? String.valueOf(impossible.getMessage())
              : impossible.toString();
      return new ProcessEntry(
          command.key(),
          command.processor(),
          new ProcessEntry.Prepared(null, ByteString.of(new byte[0]), reason));
    }
  }

  /** The newest attempt at an operation, with its command as it is prepared; null if it is gone. */
  @Nullable Operation taken(OperationId id, ProcessEntry prepared) {
    Operation newest = preparing.remove(id);
    return newest == null
        ? null
        : new Operation(
            newest.epoch(),
            newest.segment(),
            newest.segEpoch(),
            id,
            newest.ackedUpTo(),
            newest.attempt(),
            newest.ageMillis(),
            prepared);
  }
}
