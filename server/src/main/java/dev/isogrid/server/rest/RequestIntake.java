package dev.isogrid.server.rest;

import dev.isogrid.server.net.InputBudget;
import dev.isogrid.server.net.InputDeadline;
import dev.isogrid.server.net.InputShare;
import dev.isogrid.server.net.Intake;
import dev.isogrid.server.net.ServerContext;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.function.BooleanSupplier;

/**
 * Bounds what the requests of one connection take while they arrive, and how long that lasts. For
 * the connection's event loop only.
 */
final class RequestIntake {
  /**
   * The most bytes of a body that are passed over after its request was refused, so that the
   * connection can go on. Above it, another connection is cheaper for both sides.
   */
  static final int DISCARDED_MAX = 1 << 16;

  private final ServerContext server;
  private final RequestReader reader;
  private final InputShare share;
  private final InputDeadline deadline;
  private final BooleanSupplier isStranger;
  private final RequestBody body;
  private int discarded;

  /**
   * Begins without a request.
   *
   * @param reader of the connection
   * @param share of the connection
   * @param deadline of the connection
   * @param isStranger whether the client still has to log in
   */
  RequestIntake(
      ServerContext server,
      RequestReader reader,
      InputShare share,
      InputDeadline deadline,
      RequestBody body,
      BooleanSupplier isStranger) {
    this.server = server;
    this.reader = reader;
    this.share = share;
    this.deadline = deadline;
    this.body = body;
    this.isStranger = isStranger;
  }

  /** The body of the request at hand. */
  RequestBody body() {
    return body;
  }

  /** Whether there is no memory for what came in last. */
  boolean isWaiting() {
    return share.isWaiting();
  }

  private InputBudget budget() {
    Intake intake = server.intake();
    return isStranger.getAsBoolean() ? intake.strangers() : intake.requests();
  }

  /** Adds the next part of the body of a request that may be made. */
  RequestBody.Added take(HttpContent part) {
    boolean isLast = part instanceof LastHttpContent;
    boolean isStranger = !isLast && this.isStranger.getAsBoolean();
    if (isStranger && body.size() + part.content().readableBytes() > Intake.STRANGER_SIZE_MAX) {
      body.release();
      return RequestBody.Added.TOO_LARGE;
    }
    return body.add(
        isStranger ? server.intake().strangers() : server.intake().requests(),
        part.content(),
        isLast);
  }

  /**
   * Passes over the next part of the body of a request that was answered before.
   *
   * @return false if that is too much
   */
  boolean discard(HttpContent part) {
    discarded += part.content().readableBytes();
    return discarded <= DISCARDED_MAX;
  }

  /** Notes that a request has arrived in full. */
  void ended() {
    discarded = 0;
    deadline.done();
  }

  /**
   * Looks after each read at what the client is to do next.
   *
   * @param isFree whether the client is to send something, and not to wait or to take replies
   * @return false if nothing may be read for now
   */
  boolean watch(boolean isFree) {
    if (share.isWaiting()) {
      deadline.done();
      return false;
    }
    if (isFree && reader.hasBegun()) {
      deadline.unfinished(reader.bytesRead());
      long head = reader.headMemory();
      return head == 0 || share.hold(budget(), head);
    }
    expectNothing();
    return true;
  }

  /** Waits for no more input; a stranger may not stay for long without a request. */
  void expectNothing() {
    if (isStranger.getAsBoolean()) {
      deadline.idle();
    } else {
      deadline.done();
    }
  }

  /** Gives everything back. */
  void close() {
    deadline.close();
    share.close();
  }
}
