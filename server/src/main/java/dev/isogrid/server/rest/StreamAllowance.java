package dev.isogrid.server.rest;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.Intake;
import io.netty.util.concurrent.EventExecutor;

/**
 * The memory of one HTTP/2 connection and its streams, as a part of what all unfinished requests of
 * the server may take. For the connection's event loop only.
 */
final class StreamAllowance {
  /*
   * A stream costs the client a few bytes, and the server some KiB until its reply is sent. So each
   * stream takes them from the budget of requests: a client that has not logged in from that of all
   * strangers, and with them those of the connection.
   *
   * A stranger's first stream may take what is left. Further ones leave half of the budget to other
   * connections, so that a few clients with many streams don't keep others from logging in. The
   * first stream of a client that has logged in costs nothing, as over HTTP/1.1.
   */

  /**
   * The bytes of a connection without any stream: the codec with its tables, and a frame that has
   * not ended.
   */
  static final int CONNECTION_MEMORY = 32 << 10;

  /** The bytes of a stream until its reply is sent: its channel, its handlers, its head. */
  static final int STREAM_MEMORY = 12 << 10;

  private final Intake intake;
  private final InputShare share;

  /**
   * Takes nothing yet.
   *
   * @param executor the connection's event loop
   */
  StreamAllowance(Intake intake, EventExecutor executor) {
    this.intake = intake;
    this.share = new InputShare(executor, null, () -> {}, () -> {}, () -> {}); // it never waits
  }

  /** Returns whether a stranger's connection with one stream would find memory. */
  static boolean hasRoom(Intake intake) {
    InputBudget budget = intake.strangers();
    return budget.bytesMax() - budget.bytesTaken() >= CONNECTION_MEMORY + STREAM_MEMORY;
  }

  /**
   * Takes the memory of the connection with a number of streams; gives back what is too much.
   *
   * @param isStranger whether the client has to log in and has not
   * @return false if there is too little
   */
  boolean tryHold(boolean isStranger, int streams) {
    if (!isStranger) {
      return share.tryHold(intake.requests(), (long) STREAM_MEMORY * Math.max(0, streams - 1));
    }
    InputBudget budget = intake.strangers();
    long wanted = CONNECTION_MEMORY + (long) STREAM_MEMORY * streams;
    long more = wanted - share.held();
    boolean isModest = more <= 0 || streams <= 1;
    return (isModest || budget.bytesTaken() + more <= budget.bytesMax() / 2)
        && share.tryHold(budget, wanted);
  }

  /** Gives everything back, for good. */
  void close() {
    share.close();
  }
}
