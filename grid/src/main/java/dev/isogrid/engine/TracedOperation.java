package dev.isogrid.engine;

import dev.isogrid.cluster.Message;
import dev.isogrid.engine.SegmentMessage.Operation;

/**
 * To the primary: do this, which is part of a trace. Nodes that write an older version of the
 * protocol than {@link SegmentLayout#TRACED_SINCE} send the operation alone.
 *
 * @param trace the operation's place in the trace
 */
record TracedOperation(CallTrace trace, Operation operation) implements Message {
  @Override
  public int epoch() {
    return operation.epoch();
  }
}
