package dev.isogrid.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private final Router router;
  private final RequestFormat format;

  BulkRequests(Router router, RequestFormat format) {
    this.router = router;
    this.format = format;
  }

  /** Collects what goes into the next request to each owner. */
  private final class Parts<O extends Operation<?>> {
    private final Function<RequestFormat, O> maker;
    private final Map<@Nullable ServerLink, Part<O>> open = new HashMap<>();
    private final BatchQueue queue =
        new BatchQueue(router::sendNext, router.config().limits().bytesMax());

    Parts(Function<RequestFormat, O> maker) {
      this.maker = maker;
    }

    /** The request that a key with so many bytes, its value's included, is to be added to. */
    O of(byte[] key, int bytes) {
      ServerLink owner = router.owner(format.cache(), key);
      Part<O> part = open.get(owner);
      if (part != null && !part.hasRoom(bytes)) {
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

    boolean hasRoom(int bytes) {
      return entries < ENTRIES_MAX && (long) operation.size() + bytes <= BYTES_MAX;
    }
  }

  CompletableFuture<@Nullable Void> putAll(
      Map<? extends K, ? extends V> entries, Lifetime lifetime) {
    Parts<PutAllOperation> parts = new Parts<>(asked -> new PutAllOperation(asked, lifetime));
    entries.forEach((key, value) -> {
      byte[] bytes = format.keys().keyBytes(Objects.requireNonNull(key, "key"));
      Objects.requireNonNull(value, "value");
      WrittenValue written = WrittenValue.of(format.values(), value, lifetime).owned();
      parts.of(bytes, bytes.length + written.size()).add(bytes, written);
    });
    return parts.end();
  }

  CompletableFuture<Map<K, V>> getAll(Set<? extends K> keys) {
    List<GetAllOperation<K, V>> sent = new ArrayList<>();
    Parts<GetAllOperation<K, V>> parts =
        new Parts<>(asked -> {
          GetAllOperation<K, V> made = new GetAllOperation<>(asked);
          sent.add(made);
          return made;
        });
    for (K key : keys) {
      byte[] bytes = format.keys().keyBytes(Objects.requireNonNull(key, "key"));
      parts.of(bytes, bytes.length).add(bytes);
    }
    return parts
        .end()
        .thenApply(done -> {
          Map<K, V> all = new HashMap<>();
          sent.forEach(operation -> all.putAll(operation.join()));
          return all;
        });
  }
}
