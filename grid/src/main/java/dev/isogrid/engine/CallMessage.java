package dev.isogrid.engine;

import dev.isogrid.cluster.Message;
import dev.isogrid.codec.ByteString;
import org.jspecify.annotations.Nullable;

/** What nodes say to each other for {@link NodeCalls}. */
sealed interface CallMessage extends Message {
  /** The call's number, unique at its caller. */
  long call();

  /**
   * Do this and tell me what came of it.
   *
   * @param trace the call's place in a trace, or null. Nodes that write an older version of the
   *     protocol than {@link SegmentLayout#CALLS_TRACED_SINCE} leave it out.
   */
  record Request(int epoch, long call, int service, ByteString body, @Nullable CallTrace trace)
      implements CallMessage {
    /** One that is in no trace. */
    Request(int epoch, long call, int service, ByteString body) {
      this(epoch, call, service, body, null);
    }
  }

  /**
   * This came of it.
   *
   * @param failed whether the body says why it failed
   */
  record Answer(int epoch, long call, boolean failed, ByteString body) implements CallMessage {}

  /** Nobody wants to know any more. */
  record Cancel(int epoch, long call) implements CallMessage {}
}
