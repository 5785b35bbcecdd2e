package dev.isogrid.engine;

import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;

/** What nodes say to each other for {@link NodeCalls}. */
sealed interface CallMessage extends Message {
  /** The call's number, unique at its caller. */
  long call();

  /** Do this and tell me what came of it. */
  record Request(int epoch, long call, int service, ByteString body) implements CallMessage {}

  /**
   * This came of it.
   *
   * @param failed whether the body says why it failed
   */
  record Answer(int epoch, long call, boolean failed, ByteString body) implements CallMessage {}

  /** Nobody wants to know any more. */
  record Cancel(int epoch, long call) implements CallMessage {}
}
