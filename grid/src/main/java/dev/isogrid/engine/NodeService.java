package dev.isogrid.engine;

import dev.isogrid.codec.ByteString;
import dev.isogrid.topology.NodeId;

/** Does what other nodes ask for by {@link NodeCalls}. Thread-safe. */
@FunctionalInterface
public interface NodeService {
  /**
   * Does it, on a thread that may block and compute; it is interrupted if nobody wants the answer
   * any more. The same thing may be asked for twice, by two calls: the first answer may have been
   * lost.
   *
   * @param from the node that asks
   * @return the answer, at most {@link NodeCalls#BODY_MAX} bytes
   * @throws Exception to be told to the caller as it is, if it can be serialised
   */
  ByteString serve(NodeId from, ByteString request) throws Exception;
}
