package dev.isogrid.chaos.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.chaos.history.History;
import dev.isogrid.chaos.history.Kind;
import dev.isogrid.chaos.history.Operation;
import dev.isogrid.chaos.history.Operation.Outcome;
import dev.isogrid.chaos.time.RealTime;
import java.util.concurrent.CompletableFuture;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.MetadataValue;
import org.infinispan.client.hotrod.RemoteCache;
import org.jspecify.annotations.Nullable;

/** A client's cache, each operation of which becomes part of the history. Thread-safe. */
final class RecordedCache {
  private final int client;
  private final RemoteCache<byte[], byte[]> cache;
  private final RemoteCache<byte[], byte[]> returning;
  private final History history;
  private final Failures failures;
  private final RealTime time;

  /** What the load of a run shares. */
  record Shared(Clients clients, History history, Failures failures, RealTime time) {}

  RecordedCache(int client, Shared shared) {
    this.client = client;
    this.cache = shared.clients.container(client).cache();
    this.returning = cache.withFlags(Flag.FORCE_RETURN_VALUE);
    this.history = shared.history;
    this.failures = shared.failures;
    this.time = shared.time;
  }

  /** An operation without its end. */
  record Call(Kind kind, String key, long argument, long expected) {
    static Call of(Kind kind, String key) {
      return new Call(kind, key, Operation.NONE, Operation.NONE);
    }

    static Call of(Kind kind, String key, long argument) {
      return new Call(kind, key, argument, Operation.NONE);
    }
  }

  /** What an operation answered. */
  private record Seen(long result, long version) {}

  private interface Attempt {
    Seen run(byte[] key);
  }

  private Operation record(Call call, Attempt attempt) {
    long calledNanos = time.nanos();
    Seen seen;
    Outcome outcome;
    try {
      seen = attempt.run(bytes(call.key));
      outcome = Outcome.DONE;
    } catch (RuntimeException failure) {
      seen = new Seen(Operation.UNSEEN, 0);
      outcome = failures.add(failure);
    }
    return ended(call, calledNanos, outcome, seen);
  }

  private Operation ended(Call call, long calledNanos, Outcome outcome, Seen seen) {
    Operation operation =
        new Operation(
            client,
            call.kind,
            call.key,
            call.argument,
            call.expected,
            calledNanos,
            time.nanos(),
            outcome,
            seen.result,
            seen.version);
    history.add(operation);
    return operation;
  }

  private static byte[] bytes(String key) {
    return key.getBytes(US_ASCII);
  }

  private static Seen value(byte @Nullable [] found) {
    return new Seen(Values.number(found), 0);
  }

  private static Seen unseen() {
    return new Seen(Operation.UNSEEN, 0);
  }

  Operation get(String key) {
    return record(Call.of(Kind.GET, key), k -> value(cache.get(k)));
  }

  Operation getWithVersion(String key) {
    return record(
        Call.of(Kind.GET, key),
        k -> {
          MetadataValue<byte[]> found = cache.getWithMetadata(k);
          return found == null
              ? new Seen(Operation.NONE, 0)
              : new Seen(Values.number(found.getValue()), found.getVersion());
        });
  }

  Operation put(String key, long number) {
    return record(
        Call.of(Kind.PUT, key, number),
        k -> {
          cache.put(k, Values.bytes(number));
          return unseen();
        });
  }

  Operation putReturning(String key, long number) {
    return record(
        Call.of(Kind.PUT, key, number), k -> value(returning.put(k, Values.bytes(number))));
  }

  Operation putIfAbsent(String key, long number) {
    return record(
        Call.of(Kind.PUT_IF_ABSENT, key, number),
        k -> value(returning.putIfAbsent(k, Values.bytes(number))));
  }

  Operation remove(String key) {
    return record(Call.of(Kind.REMOVE, key), k -> value(returning.remove(k)));
  }

  /** Replaces what an earlier read with its version saw. */
  Operation replace(Operation read, long number) {
    return record(
        new Call(Kind.REPLACE_IF, read.key(), number, read.result()),
        k -> {
          boolean done = cache.replaceWithVersion(k, Values.bytes(number), read.version());
          return new Seen(done ? 1 : 0, 0);
        });
  }

  /** Removes what an earlier read with its version saw. */
  Operation removeIf(Operation read) {
    return record(
        new Call(Kind.REMOVE_IF, read.key(), Operation.NONE, read.result()),
        k -> new Seen(cache.removeWithVersion(k, read.version()) ? 1 : 0, 0));
  }

  /** Removes without waiting. The future never fails. */
  CompletableFuture<Operation> removeAsync(String key) {
    Call call = Call.of(Kind.REMOVE, key);
    long calledNanos = time.nanos();
    try {
      return returning
          .removeAsync(bytes(key))
          .handle((found, failure) -> removed(call, calledNanos, found, failure));
    } catch (RuntimeException failure) {
      return CompletableFuture.completedFuture(
          ended(call, calledNanos, failures.add(failure), unseen()));
    }
  }

  private Operation removed(
      Call call, long calledNanos, byte @Nullable [] found, @Nullable Throwable failure) {
    if (failure != null) {
      return ended(call, calledNanos, failures.add(failure), unseen());
    }
    try {
      return ended(call, calledNanos, Outcome.DONE, value(found));
    } catch (Values.CorruptValue corrupt) {
      return ended(call, calledNanos, failures.add(corrupt), unseen());
    }
  }
}
