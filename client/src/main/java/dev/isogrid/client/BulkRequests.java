package dev.isogrid.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Splits operations on many keys into requests of bounded size to the owners. Thread-safe. */
final class BulkRequests<K, V> {
  /** Servers take 10 MB a request unless told otherwise. */
  private static final int BYTES_MAX = 1 << 20;

  /** Bounds the time that a server spends on one request. */
  private static final int ENTRIES_MAX = 1_000;

  private final Router router;
  private final RequestFormat format;

  BulkRequests(Router router, RequestFormat format) {
    this.router = router;
    this.format = format;
  }

  /** Counts what goes into one request. */
  private static final class Part<O extends Operation<?>> {
    final O operation;
    int entries;

    Part(O operation) {
      this.operation = operation;
    }

    boolean isFull() {
      return entries >= ENTRIES_MAX || operation.size() >= BYTES_MAX;
    }
  }

  CompletableFuture<Void> putAll(Map<? extends K, ? extends V> entries, Lifetime lifetime) {
    Map<@Nullable ServerLink, Part<PutAllOperation>> parts = new HashMap<>();
    List<CompletableFuture<?>> sent = new ArrayList<>();
    entries.forEach((key, value) -> {
      byte[] bytes = format.keys().keyBytes(key);
      WrittenValue written = WrittenValue.of(format.values(), value, lifetime).owned();
      ServerLink owner = router.owner(format.cache(), bytes);
      Part<PutAllOperation> part =
          parts.computeIfAbsent(owner, o -> new Part<>(new PutAllOperation(format, lifetime)));
      part.operation.add(bytes, written);
      part.entries++;
      if (part.isFull()) {
        parts.remove(owner);
        router.send(part.operation);
        sent.add(part.operation);
      }
    });
    parts.values().forEach(part -> sent.add(router.send(part.operation)));
    return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
  }

  CompletableFuture<Map<K, V>> getAll(Set<? extends K> keys) {
    Map<@Nullable ServerLink, Part<GetAllOperation<K, V>>> parts = new HashMap<>();
    List<GetAllOperation<K, V>> sent = new ArrayList<>();
    for (K key : keys) {
      byte[] bytes = format.keys().keyBytes(key);
      ServerLink owner = router.owner(format.cache(), bytes);
      Part<GetAllOperation<K, V>> part =
          parts.computeIfAbsent(owner, o -> new Part<>(new GetAllOperation<>(format)));
      part.operation.add(bytes);
      part.entries++;
      if (part.isFull()) {
        parts.remove(owner);
        router.send(part.operation);
        sent.add(part.operation);
      }
    }
    parts
        .values()
        .forEach(part -> {
          router.send(part.operation);
          sent.add(part.operation);
        });
    return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
        .thenApply(done -> {
          Map<K, V> all = new HashMap<>();
          sent.forEach(operation -> all.putAll(operation.join()));
          return all;
        });
  }
}
