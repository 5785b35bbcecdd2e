package dev.isogrid.server.hotrod;

import dev.isogrid.server.net.OutputGate;
import dev.isogrid.server.net.ServerContext;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;

/**
 * The requests of one connection: reads each, and executes it here and now if it does not block,
 * else aside. For the connection's event loop only.
 */
final class Session {
  /** What became of the next request. */
  enum Step {
    /** It was executed, or is being executed. */
    TAKEN,
    /** It is not all there. */
    INCOMPLETE,
    /** It was left where it is: too much is being executed aside. */
    NO_ROOM
  }

  private final Request request = new Request();
  private final RequestDecoder decoder;
  private final CacheHandles caches;
  private final Operations operations;
  private final Iterations iterations;
  private final AsideRequests aside;
  private final CounterClient client;

  /**
   * Begins a session.
   *
   * @param gate where replies go
   * @param aside where to execute what may block
   * @param client the connection for events of counters; closed with the session
   */
  Session(
      ServerContext context,
      TopologySections sections,
      ChannelHandlerContext channel,
      OutputGate gate,
      AsideRequests aside,
      CounterClient client) {
    this.decoder =
        new RequestDecoder(request, context.contentLengthMax(), context.node().env().epochClock());
    this.caches = new CacheHandles(context, sections, channel.channel());
    this.operations =
        Operations.thatNeverBlock(
            context, request, new Reply(gate, channel.alloc()), channel.alloc());
    this.iterations = new Iterations(channel.executor());
    this.aside = aside;
    this.client = client;
    operations.connection(iterations, client);
  }

  /**
   * Takes the next request.
   *
   * @param in what has arrived; the request's bytes are passed over if it is taken
   * @throws MalformedRequest if the bytes are none; {@link #refuse} answers that
   */
  Step step(ByteBuf in) {
    int start = in.readerIndex();
    if (!decoder.decode(in)) {
      return Step.INCOMPLETE;
    }
    try {
      boolean isOnCounters = RequestLayout.isOnCounters(request.operation);
      CacheHandle cache = isOnCounters ? caches.counters() : caches.find(request);
      if (!operations.execute(cache)) {
        int length = in.readerIndex() - start;
        if (!aside.hasRoom(length)) {
          in.readerIndex(start);
          return Step.NO_ROOM;
        }
        aside.start(in.slice(start, length), cache, iterations, client);
      }
    } catch (RuntimeException failure) {
      operations.fail(failure);
    } finally {
      operations.release();
    }
    return Step.TAKEN;
  }

  /** Answers to bytes that are no request. */
  void refuse(MalformedRequest malformed) {
    operations.refuse(malformed);
  }

  /** Frees what the session holds. */
  void close() {
    iterations.close();
    client.close();
  }
}
