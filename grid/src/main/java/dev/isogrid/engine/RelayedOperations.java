package dev.isogrid.engine;

import dev.isogrid.topology.NodeId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operations of clients that this node passed on for others that don't reach a primary. Their
 * answers come by this node, and name the client instead of the caller. Not thread-safe.
 */
final class RelayedOperations {
  /** So many may be under way; a caller whose oldest is forgotten sends it again. */
  private static final int OPERATIONS_MAX = 4096;

  private final Map<OperationId, NodeId> callers = new LinkedHashMap<>();

  /** Notes that a caller wants the answer to an operation. */
  void add(OperationId id, NodeId caller) {
    callers.put(id, caller);
    if (callers.size() > OPERATIONS_MAX) {
      Iterator<OperationId> oldest = callers.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Returns the caller that gets an answer, or null if nothing was passed on. */
  @Nullable NodeId remove(OperationId id) {
    return callers.isEmpty() ? null : callers.remove(id);
  }
}
