package dev.isogrid.chaos.history;

import dev.isogrid.chaos.history.Operation.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes operations of several clients on one key with the answers of a correct cluster. */
final class MadeHistory {
  private static final List<Kind> KINDS = List.of(Kind.values());

  private final SplittableRandom random;
  private final int clients;
  private final double unknownShare;
  private long value;
  private long lastValue;

  /** Makes a source of histories in which a share of the operations has an unknown outcome. */
  MadeHistory(SplittableRandom random, int clients, double unknownShare) {
    this.random = random;
    this.clients = clients;
    this.unknownShare = unknownShare;
  }

  /** Makes a history of this number of operations. */
  List<Operation> make(String key, int count) {
    value = Operation.NONE;
    List<Operation> operations = new ArrayList<>();
    long[] idleNanos = new long[clients];
    for (long now = 0; operations.size() < count; now += 10) {
      // Each takes effect at `now`: after its call, before its end.
      int client = random.nextInt(clients);
      if (idleNanos[client] > now) {
        continue;
      }
      long called = Math.max(idleNanos[client], now - random.nextInt(60));
      long ended = now + random.nextInt(60);
      idleNanos[client] = ended + 1;
      operations.add(make(client, key, called, ended));
    }
    return operations;
  }

  private Operation make(int client, String key, long called, long ended) {
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    boolean isWrite = kind == Kind.PUT || kind == Kind.PUT_IF_ABSENT || kind == Kind.REPLACE_IF;
    boolean isConditional = kind == Kind.REPLACE_IF || kind == Kind.REMOVE_IF;
    long argument = isWrite ? ++lastValue : Operation.NONE;
    long expected = !isConditional ? 0 : random.nextInt(4) == 0 ? lastValue : Math.max(value, 1);
    boolean isUnknown = random.nextDouble() < unknownShare;
    boolean isDone = !isUnknown || random.nextBoolean();
    long before = value;
    if (isDone) {
      apply(kind, argument, expected);
    }
    long result = isConditional ? (expected == before ? 1 : 0) : before;
    boolean isSeen = kind != Kind.PUT || random.nextBoolean();
    return new Operation(
        client,
        kind,
        key,
        argument,
        expected,
        called,
        ended,
        isUnknown ? Outcome.UNKNOWN : Outcome.DONE,
        isUnknown || !isSeen ? Operation.UNSEEN : result,
        0);
  }

  private void apply(Kind kind, long argument, long expected) {
    switch (kind) {
      case GET -> {}
      case PUT -> value = argument;
      case REMOVE -> value = Operation.NONE;
      case PUT_IF_ABSENT -> value = value == Operation.NONE ? argument : value;
      case REPLACE_IF -> value = value == expected ? argument : value;
      case REMOVE_IF -> value = value == expected ? Operation.NONE : value;
    }
  }
}
