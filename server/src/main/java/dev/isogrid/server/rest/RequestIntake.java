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
 * Limits the memory of a connection's incomplete requests, and their duration. For the connection's
 * event loop only.
 */
final class RequestIntake {
  /**
   * The most bytes of a refused request's body that are skipped, so that the connection can
   * continue. Above it, another connection is cheaper for both sides.
   */
  static final int DISCARDED_MAX = 1 << 16;

  private final ServerContext server;
  private final HttpLine line;
  private final InputShare share;
  private final InputDeadline deadline;
  private final BooleanSupplier isStranger;
  private final RequestBody body;
  private int discarded;

  /**
   * Begins without a request.
   *
   * @param line of the connection
   * @param share of the connection
   * @param deadline of the connection
   * @param isStranger whether the client must still log in
   */
  RequestIntake(
      ServerContext server,
      HttpLine line,
      InputShare share,
      InputDeadline deadline,
      RequestBody body,
      BooleanSupplier isStranger) {
    this.server = server;
    this.line = line;
    this.share = share;
    this.deadline = deadline;
    this.body = body;
    this.isStranger = isStranger;
  }

  /** The body of the current request. */
  RequestBody body() {
    return body;
  }

  /** Whether there is no memory for the last input. */
  boolean isWaiting() {
    return share.isWaiting();
  }

  private InputBudget budget() {
    Intake intake = server.intake();
    return isStranger.getAsBoolean() ? intake.strangers() : intake.requests();
  }

  /** Adds the next part of the body of an admitted request. */
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
   * Skips the next part of the body of an answered request.
   *
   * @return false if the body exceeds the limit
   */
  boolean discard(HttpContent part) {
    discarded += part.content().readableBytes();
    return discarded <= DISCARDED_MAX;
  }

  /** Notes that a request is complete. */
  void ended() {
    discarded = 0;
    deadline.done();
  }

  /**
   * Updates the deadline for the client after each read.
   *
   * @param isFree whether the client must send something, rather than wait or take replies
   * @return false if the connection must not read for now
   */
  boolean watch(boolean isFree) {
    if (share.isWaiting()) {
      deadline.done();
      return false;
    }
    if (isFree && line.hasBegun()) {
      deadline.unfinished(line.bytesRead());
      long head = line.headMemory();
      return head == 0 || share.hold(budget(), head);
    }
    expectNothing();
    return true;
  }

  /** Expects no more input; a client without a login may not stay long without a request. */
  void expectNothing() {
    if (isStranger.getAsBoolean()) {
      deadline.idle();
    } else {
      deadline.done();
    }
  }

  /** Releases everything. */
  void close() {
    deadline.close();
    share.close();
  }
}
