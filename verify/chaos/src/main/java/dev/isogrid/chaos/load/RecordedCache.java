package dev.isogrid.chaos.load;

import dev.isogrid.chaos.history.History;
import dev.isogrid.chaos.history.Kind;
import dev.isogrid.chaos.history.Operation;
import dev.isogrid.chaos.history.Operation.Outcome;
import dev.isogrid.chaos.time.RealTime;
import java.util.concurrent.CompletableFuture;

/** A client's cache that adds each operation to the history. Thread-safe. */
final class RecordedCache {
  private final int client;
  private final Store store;
  private final History history;
  private final Failures failures;
  private final RealTime time;

  /** The objects that the load of a run shares. */
  record Shared(Access access, History history, Failures failures, RealTime time) {}

  RecordedCache(int client, Shared shared) {
    this.client = client;
    this.store = shared.access.store(client);
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

  private interface Attempt {
    Seen run();
  }

  private Operation record(Call call, Attempt attempt) {
    long calledNanos = time.nanos();
    Seen seen;
    Outcome outcome;
    try {
      seen = attempt.run();
      outcome = Outcome.DONE;
    } catch (RuntimeException failure) {
      seen = Seen.NOTHING;
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
            seen.result(),
            seen.version());
    history.add(operation);
    return operation;
  }

  Operation get(String key) {
    return record(Call.of(Kind.GET, key), () -> store.get(key));
  }

  Operation getWithVersion(String key) {
    return record(Call.of(Kind.GET, key), () -> store.getWithVersion(key));
  }

  Operation put(String key, long number) {
    return record(
        Call.of(Kind.PUT, key, number),
        () -> {
          store.put(key, number);
          return Seen.NOTHING;
        });
  }

  Operation putReturning(String key, long number) {
    return record(Call.of(Kind.PUT, key, number), () -> store.putReturning(key, number));
  }

  Operation putIfAbsent(String key, long number) {
    return record(Call.of(Kind.PUT_IF_ABSENT, key, number), () -> store.putIfAbsent(key, number));
  }

  Operation remove(String key) {
    return record(Call.of(Kind.REMOVE, key), () -> store.remove(key));
  }

  /** Replaces the value that an earlier read with its version returned. */
  Operation replace(Operation read, long number) {
    return record(
        new Call(Kind.REPLACE_IF, read.key(), number, read.result()),
        () -> Seen.flag(store.replace(read.key(), number, read.version())));
  }

  /** Removes the value that an earlier read with its version returned. */
  Operation removeIf(Operation read) {
    return record(
        new Call(Kind.REMOVE_IF, read.key(), Operation.NONE, read.result()),
        () -> Seen.flag(store.removeIf(read.key(), read.version())));
  }

  /** Removes without waiting. The future never fails. */
  CompletableFuture<Operation> removeAsync(String key) {
    Call call = Call.of(Kind.REMOVE, key);
    long calledNanos = time.nanos();
    try {
      return store
          .removeAsync(key)
          .handle((seen, failure) ->
              failure == null
                  ? ended(call, calledNanos, Outcome.DONE, seen)
                  : ended(call, calledNanos, failures.add(failure), Seen.NOTHING));
    } catch (RuntimeException failure) {
      return CompletableFuture.completedFuture(
          ended(call, calledNanos, failures.add(failure), Seen.NOTHING));
    }
  }
}
