package dev.isogrid.engine;

import dev.isogrid.engine.SegmentMessage.Reply;
import dev.isogrid.engine.SegmentMessage.Status;
import dev.isogrid.topology.CacheDefinition;
import dev.isogrid.topology.Topology;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The operations in traces that other nodes sent to this one and that have no answer yet. Guarded
 * by the lock of the driver.
 */
final class TracedParts {
  /** The most of them: as many as a few hundred callers have. Beyond it the oldest is given up. */
  static final int OPEN_MAX = 4096;

  /** So is one for which no answer came in this time, as when another node has become primary. */
  static final long OPEN_NANOS_MAX = TimeUnit.MINUTES.toNanos(1);

  private static final String UNANSWERED = "unanswered";

  /** One of them, without its keys and values. */
  private record Open(CallTrace trace, String operation, int cacheId, long beganNanos) {}

  private final LinkedHashMap<OperationId, Open> open = new LinkedHashMap<>();

  boolean isEmpty() {
    return open.isEmpty();
  }

  /**
   * Notes that an operation was received. A further attempt at one without an answer counts from
   * the first attempt.
   *
   * @return the oldest one if it was given up, or null
   */
  CallTraces.@Nullable Part begin(
      TracedOperation received, @Nullable Topology topology, String node, long nowNanos) {
    SegmentMessage.Operation operation = received.operation();
    Command command = operation.command();
    open.putIfAbsent(
        operation.id(), new Open(received.trace(), name(command), cacheId(command), nowNanos));
    Map.Entry<OperationId, Open> first = open.firstEntry();
    if (open.size() <= OPEN_MAX && nowNanos - first.getValue().beganNanos <= OPEN_NANOS_MAX) {
      return null;
    }
    open.remove(first.getKey());
    return part(first.getValue(), topology, node, nowNanos, UNANSWERED);
  }

  /** Notes an answer; returns what it ends, or null if that is in no trace. */
  CallTraces.@Nullable Part end(
      Reply reply, @Nullable Topology topology, String node, long nowNanos) {
    Open ended = open.remove(reply.id());
    Status status = reply.status();
    String error = status == Status.DONE ? null : status.name().toLowerCase(Locale.ROOT);
    return ended == null ? null : part(ended, topology, node, nowNanos, error);
  }

  private static CallTraces.Part part(
      Open of, @Nullable Topology topology, String node, long nowNanos, @Nullable String error) {
    return new CallTraces.Part(
        of.trace,
        of.operation,
        cacheName(of.cacheId, topology),
        node,
        nowNanos - of.beganNanos,
        error);
  }

  /** The name of what a command does, as in Hot Rod where that has it. */
  static String name(Command command) {
    return command instanceof EntryCommand known ? name(known) : command.getClass().getSimpleName();
  }

  private static String name(EntryCommand command) {
    return switch (command) {
      case EntryCommand.ReadEntry _ -> "get";
      case EntryCommand.ClearEntries _ -> "clear";
      case WriteEntries _ -> "putAll";
      case ApplyFunction _ -> "apply";
      case ProcessEntry _ -> "process";
      case WriteEntry write -> name(write);
    };
  }

  private static String name(WriteEntry write) {
    boolean isOfVersion = write.condition() == KeyWrite.Condition.VERSION;
    return switch (write.action()) {
      case STORE ->
          switch (write.condition()) {
            case NONE -> "put";
            case ABSENT -> "putIfAbsent";
            case PRESENT -> "replace";
            case VERSION -> "replaceIfUnmodified";
          };
      case REMOVE -> isOfVersion ? "removeIfUnmodified" : "remove";
      case TOUCH -> "touch";
      case EXPIRE -> "expire";
    };
  }

  private static int cacheId(Command command) {
    return switch (command.key()) {
      case EntryKey key -> key.cacheId();
      case CacheScope scope -> scope.cacheId();
      default -> 0;
    };
  }

  private static String cacheName(int id, @Nullable Topology topology) {
    if (topology != null) {
      for (CacheDefinition cache : topology.caches()) {
        if (cache.id() == id) {
          return cache.name();
        }
      }
    }
    return "";
  }
}
