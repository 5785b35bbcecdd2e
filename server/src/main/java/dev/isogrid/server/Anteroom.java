package dev.isogrid.server;

import dev.isogrid.server.net.ProblemLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection on the thread that accepted it until its client sends something, and moves it
 * to one of the threads that serve requests then. So a flood of silent connections takes no time
 * from those threads, and next to no memory. For one connection.
 */
final class Anteroom extends ChannelInboundHandlerAdapter {
  /*
   * A channel belongs to no thread for a moment: it leaves one event loop, and joins another one
   * when it has left. The input so far waits here, and the system keeps what follows. Events from
   * other threads wait in the queue of the old loop. The only one is the end of the server, which
   * Listeners checks for once more.
   */

  private final EventLoopGroup threads;
  private final Consumer<Channel> next;
  private final @Nullable ProblemLog silence;
  private final List<ByteBuf> input = new ArrayList<>(1);

  /** Events that came with the input or after it. */
  private final List<Object> events = new ArrayList<>(0);

  private boolean isLeaving;
  private @Nullable Future<?> timeout;

  /**
   * Begins without input.
   *
   * @param threads one of them serves the connection
   * @param next prepares the connection for its first input, on that thread
   * @param silence logs clients that send nothing, whose connection is closed then; null if they
   *     may be silent
   */
  Anteroom(EventLoopGroup threads, Consumer<Channel> next, @Nullable ProblemLog silence) {
    this.threads = threads;
    this.next = next;
    this.silence = silence;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (silence != null) {
      timeout = FirstByteDeadline.begin(context, silence);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    context.channel().config().setAutoRead(false);
    input.add((ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (input.isEmpty() || isLeaving) {
      return;
    }
    isLeaving = true;
    cancelTimeout();
    Channel channel = context.channel();
    EventLoop thread = threads.next();
    channel
        .deregister()
        .addListener(left -> {
          if (left.isSuccess()) {
            join(context, thread);
          } else {
            giveUp(channel);
          }
        });
  }

  /** The end of the client's requests comes after the requests that wait here. */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (input.isEmpty()) {
      context.fireUserEventTriggered(event);
    } else {
      events.add(event);
    }
  }

  private void join(ChannelHandlerContext context, EventLoop thread) {
    Channel channel = context.channel();
    if (thread.isShuttingDown()) {
      giveUp(channel);
      return;
    }
    // A loop that ends now can't call the listener.
    ChannelPromise promise = new DefaultChannelPromise(channel, ImmediateEventExecutor.INSTANCE);
    thread
        .register(promise)
        .addListener(joined -> {
          if (joined.isSuccess()) {
            thread.execute(() -> enter(context)); // this may be the old thread
          } else {
            giveUp(channel);
          }
        });
  }

  /** On the new thread. */
  private void enter(ChannelHandlerContext context) {
    if (context.isRemoved()) {
      return; // the channel was closed meanwhile
    }
    Channel channel = context.channel();
    List<ByteBuf> received = List.copyOf(input);
    input.clear();
    channel.config().setAutoRead(true);
    next.accept(channel);
    received.forEach(context::fireChannelRead);
    context.fireChannelReadComplete();
    events.forEach(context::fireUserEventTriggered);
    if (!context.isRemoved()) {
      channel.pipeline().remove(this);
    }
  }

  /** Closes a channel that found no thread, since the server stops. */
  private void giveUp(Channel channel) {
    release();
    channel.close();
    channel.pipeline().fireChannelInactive(); // a channel without a loop says nothing itself
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    cancelTimeout();
    release();
  }

  private void release() {
    input.forEach(ByteBuf::release);
    input.clear();
  }

  private void cancelTimeout() {
    Future<?> pending = timeout;
    if (pending != null) {
      timeout = null;
      pending.cancel(false);
    }
  }
}
