package dev.isogrid.client;

import dev.isogrid.client.CounterRequest.Answer;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one counter; they fail with {@link CounterNotFoundException} or {@link
 * CounterOutOfBoundsException} where the server says so. Thread-safe.
 */
final class CounterCalls {
  private final Router router;
  private final RequestFormat format;
  private final String name;

  CounterCalls(Router router, RequestFormat format, String name) {
    this.router = router;
    this.format = format;
    this.name = name;
  }

  String name() {
    return name;
  }

  CompletableFuture<Long> value() {
    return call(Opcodes.COUNTER_GET);
  }

  CompletableFuture<Long> add(long delta) {
    return call(Opcodes.COUNTER_ADD_AND_GET, delta);
  }

  CompletableFuture<Long> compareAndSwap(long expect, long update) {
    return call(Opcodes.COUNTER_COMPARE_AND_SWAP, expect, update);
  }

  CompletableFuture<Long> getAndSet(long value) {
    return call(Opcodes.COUNTER_GET_AND_SET, value);
  }

  CompletableFuture<@Nullable Void> reset() {
    return call(Opcodes.COUNTER_RESET).thenApply(zero -> null);
  }

  CompletableFuture<@Nullable Void> remove() {
    return call(Opcodes.COUNTER_REMOVE).thenApply(zero -> null);
  }

  private CompletableFuture<Long> call(int opcode, long... operands) {
    return router
        .send(new CounterRequest.OfNumbers(format, opcode, name, operands))
        .thenApply(this::checked);
  }

  private Long checked(Answer answer) {
    return switch (answer.status()) {
      case Statuses.OK -> answer.value();
      case Statuses.NOT_EXECUTED_WITH_PREVIOUS -> throw new CounterOutOfBoundsException(name);
      default -> throw new CounterNotFoundException(name);
    };
  }

  CounterSubscription listen(CounterListener listener) {
    return router.counterEvents().add(format, name, listener);
  }
}
