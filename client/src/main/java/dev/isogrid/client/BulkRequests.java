package dev.isogrid.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Splits operations on many keys into requests of bounded size to the owners. Thread-safe. */
final class BulkRequests<K, V> {
  /**
   * A request is sent when it has as many bytes of keys and values: a tenth of what servers take,
   * since text may need three times the bytes that are counted for it.
   */
  static final int BYTES_MAX = 1 << 20;

  /** Bounds the time that a server spends on one request. */
  static final int ENTRIES_MAX = 1_000;

  /** How many requests become of one whose answer is too large. */
  private static final int SPLIT = 8;

  private final Router router;
  private final RequestFormat format;

  BulkRequests(Router router, RequestFormat format) {
    this.router = router;
    this.format = format;
  }

  /** Collects what goes into the next request to each owner. */
  private final class Parts<O extends Operation<?>> {
    private final int entriesMax;
    private final Function<RequestFormat, O> maker;
    private final Map<@Nullable ServerLink, Part<O>> open = new HashMap<>();
    private final BatchQueue queue =
        new BatchQueue(router::sendNext, router.config().limits().bytesMax());

    Parts(int entriesMax, Function<RequestFormat, O> maker) {
      this.entriesMax = entriesMax;
      this.maker = maker;
    }

    /** The request for a key, whose size with its value is given in bytes. */
    O of(byte[] key, int bytes) {
      ServerLink owner = router.owner(format.cache(), key);
      Part<O> part = open.get(owner);
      if (part != null && !part.hasRoom(entriesMax, bytes)) {
        queue.add(owner, part.operation);
        part = null;
      }
      if (part == null) {
        part = new Part<>(maker.apply(format));
        open.put(owner, part);
      }
      part.entries++;
      return part.operation;
    }

    CompletableFuture<@Nullable Void> end() {
      open.forEach((owner, part) -> queue.add(owner, part.operation));
      return queue.end();
    }
  }

  private static final class Part<O extends Operation<?>> {
    final O operation;
    int entries;

    Part(O operation) {
      this.operation = operation;
    }

    boolean hasRoom(int entriesMax, int bytes) {
      return entries < entriesMax && (long) operation.size() + bytes <= BYTES_MAX;
    }
  }

  CompletableFuture<@Nullable Void> putAll(
      Map<? extends K, ? extends V> entries, Lifetime lifetime) {
    Objects.requireNonNull(entries, "map");
    Parts<PutAllOperation> parts =
        new Parts<>(ENTRIES_MAX, asked -> new PutAllOperation(asked, lifetime));
    entries.forEach((key, value) -> {
      byte[] bytes = format.keys().keyBytes(Objects.requireNonNull(key, "key"));
      Objects.requireNonNull(value, "value");
      WrittenValue written = WrittenValue.of(format.values(), value, lifetime).owned();
      parts.of(bytes, bytes.length + written.size()).add(bytes, written);
    });
    return parts.end();
  }

  CompletableFuture<Map<K, V>> getAll(Set<? extends K> keys) {
    List<byte[]> asked = new ArrayList<>(Objects.requireNonNull(keys, "keys").size());
    for (K key : keys) {
      asked.add(format.keys().keyBytes(Objects.requireNonNull(key, "key")));
    }
    return getAll(asked, ENTRIES_MAX);
  }

  /**
   * Reads the values of encoded keys. The sizes of the values are not known before. So the keys of
   * answers that a server refuses as too large are asked for again, in smaller requests.
   */
  private CompletableFuture<Map<K, V>> getAll(List<byte[]> keys, int entriesMax) {
    List<GetAllOperation<K, V>> sent = new ArrayList<>();
    Parts<GetAllOperation<K, V>> parts =
        new Parts<>(
            entriesMax,
            asked -> {
              GetAllOperation<K, V> made = new GetAllOperation<>(asked);
              sent.add(made);
              return made;
            });
    keys.forEach(key -> parts.of(key, key.length).add(key));
    return parts
        .end()
        .handle((done, failure) -> Optional.ofNullable(failure))
        .thenCompose(failure -> collected(sent, failure.orElse(null)));
  }

  private CompletableFuture<Map<K, V>> collected(
      List<GetAllOperation<K, V>> sent, @Nullable Throwable failure) {
    Map<K, V> all = new HashMap<>();
    List<byte[]> missing = new ArrayList<>();
    int largest = 0;
    for (GetAllOperation<K, V> operation : sent) {
      if (operation.isDone() && !operation.isCompletedExceptionally()) {
        all.putAll(operation.join());
      } else {
        missing.addAll(operation.keys());
        largest = Math.max(largest, operation.keys().size());
      }
    }
    if (failure == null) {
      return CompletableFuture.completedFuture(all);
    }
    boolean isTooLarge = failure instanceof ServerErrorException error && error.isAnswerTooLarge();
    if (!isTooLarge || largest <= 1) {
      return CompletableFuture.failedFuture(failure);
    }
    return getAll(missing, Math.max(1, largest / SPLIT))
        .thenApply(rest -> {
          all.putAll(rest);
          return all;
        });
  }
}
