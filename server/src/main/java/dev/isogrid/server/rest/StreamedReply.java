package dev.isogrid.server.rest;

import dev.isogrid.api.GridException;
import dev.isogrid.server.net.HeldOutput;
import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ProblemLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.function.Supplier;

/**
 * A reply whose body is written in parts. For the thread that works for its connection meanwhile.
 */
final class StreamedReply {
  /** The progress of the reply. */
  enum Parts {
    LEFT,
    ALL_WRITTEN,
    BROKEN_OFF
  }

  private final BodyParts writer;
  private final ProblemLog problems;
  private final Channel channel;

  /**
   * Begins before the first part.
   *
   * @param problems receives failures
   * @param channel of the connection; for the log
   */
  StreamedReply(BodyParts writer, ProblemLog problems, Channel channel) {
    this.writer = writer;
    this.problems = problems;
    this.channel = channel;
  }

  /** Appends the next part; a part that fails is taken back. */
  private Parts writePart(ByteBuf out) {
    int start = out.writerIndex();
    try {
      return writer.writePart(out) ? Parts.ALL_WRITTEN : Parts.LEFT;
    } catch (RuntimeException | Error failure) { // tidy: the connection must end
      report(failure);
      out.writerIndex(start);
      return Parts.BROKEN_OFF;
    }
  }

  /** Appends parts until there are enough bytes to send. */
  Parts writeParts(HeldOutput held) {
    Parts parts = Parts.LEFT;
    while (parts == Parts.LEFT && held.size() < OutputGate.COLLECTED_MAX) {
      parts = writePart(held.buffer());
    }
    return parts;
  }

  private void report(Throwable failure) {
    Supplier<String> detail =
        () -> "remote=" + channel.remoteAddress() + ", cause=" + failure.getMessage();
    if (failure instanceof GridException) {
      problems.report("reply broken off", detail);
    } else {
      problems.reportFailure("reply failed", failure, detail);
    }
  }
}
