package dev.isogrid.server.memcached;

import dev.isogrid.server.net.OutputGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One memcached connection: keeps what came in until it is worked off, sends the replies of a batch
 * of commands at once, and stops while the client doesn't read. For its event loop only.
 */
final class MemcachedHandler extends ChannelInboundHandlerAdapter {
  /*
   * Memory. What is not yet worked off is at most one command that is not complete, which the
   * session bounds by the content length, and what one round of reading brought in. What is not yet
   * sent is what the gate collects, one reply, and what the channel holds up to its own mark.
   *
   * Order. When the channel has room, either all complete commands are worked off, or this handler
   * is doing so further up the stack. So a change of writability is passed on only after the work:
   * the handlers behind may close a connection whose client has ended its side once they see that
   * there is room.
   */

  private final MemcachedEndpoint endpoint;
  private @Nullable OutputGate gate;
  private @Nullable TextSession session;
  private @Nullable ByteBuf input;
  private boolean working;
  private boolean closed;

  MemcachedHandler(MemcachedEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    OutputGate newGate = new OutputGate(context);
    gate = newGate;
    session = new TextSession(endpoint, new Output(newGate, context.alloc()), context.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    if (closed) {
      bytes.release();
      return;
    }
    ByteBuf before = input;
    input =
        before == null
            ? bytes
            : ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(context.alloc(), before, bytes);
    work(context);
  }

  /** Works off the input as far as it is complete and there is room for the replies. */
  private void work(ChannelHandlerContext context) {
    if (working || closed) {
      return;
    }
    // Keys of a long get may be left although all bytes were read.
    ByteBuf in = input == null ? Unpooled.EMPTY_BUFFER : input;
    TextSession worker = Objects.requireNonNull(session);
    OutputGate out = Objects.requireNonNull(gate);
    working = true;
    try {
      boolean mayGoOn = true;
      while (mayGoOn && out.isOpen()) {
        mayGoOn = worker.step(in);
      }
    } finally {
      working = false;
    }
    if (worker.isClosing()) {
      close(context, out);
    } else if (!in.isReadable()) {
      dropInput();
    } else if (in.refCnt() == 1) { // otherwise someone else looks at the same bytes
      in.discardSomeReadBytes();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (!closed) {
      Objects.requireNonNull(gate).flush();
    }
    context.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (working) {
      return;
    }
    OutputGate out = Objects.requireNonNull(gate);
    if (!closed && out.isOpen()) {
      work(context);
      if (!closed) {
        out.flush();
      }
    }
    context.fireChannelWritabilityChanged();
  }

  /** Sends what there is, then closes; what else the client sent is dropped. */
  private void close(ChannelHandlerContext context, OutputGate out) {
    closed = true;
    dropInput();
    out.flush();
    context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private void dropInput() {
    ByteBuf in = input;
    if (in != null) {
      input = null;
      in.release();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    release();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  /** A failure ends the connection: part of a command may have been worked off. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    release();
    context.fireExceptionCaught(cause);
  }

  private void release() {
    closed = true;
    dropInput();
    OutputGate out = gate;
    if (out != null) {
      out.release();
    }
    TextSession worker = session;
    if (worker != null) {
      worker.release();
    }
  }
}
