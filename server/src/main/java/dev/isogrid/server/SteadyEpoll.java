package dev.isogrid.server;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;

/** Netty's epoll for connections whose client has ended its side but still takes replies. */
final class SteadyEpoll implements IoHandler {
  /*
   * A channel with ended input and no unsent output is interested in nothing. Then Netty (4.2.18
   * and 4.2.20) removes it from the epoll set, but assumes that it is still there. The next reply
   * that the socket does not take at once makes Netty request EPOLLOUT with EPOLL_CTL_MOD, which
   * fails with ENOENT, and the rest of the reply is lost. Here "nothing" is replaced by the
   * edge-triggered flag alone, which requests no event but is not nothing, so the channel stays in
   * the set. Delete this class when Netty adds a removed channel again.
   */

  private static final IoOps NOTHING = EpollIoOps.EPOLLET;

  private final IoHandler epoll;

  private SteadyEpoll(IoHandler epoll) {
    this.epoll = epoll;
  }

  /** Makes handlers for event loops. */
  static IoHandlerFactory newFactory() {
    IoHandlerFactory epolls = EpollIoHandler.newFactory();
    return executor -> newHandler(epolls, executor);
  }

  private static IoHandler newHandler(IoHandlerFactory epolls, ThreadAwareExecutor executor) {
    return new SteadyEpoll(epolls.newHandler(executor));
  }

  /** A registration that always has an interest. */
  private record SteadyRegistration(IoRegistration registration) implements IoRegistration {
    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // the interface is Netty's
    public <T> T attachment() {
      return registration.attachment();
    }

    @Override
    public long submit(IoOps ops) {
      return registration.submit(EpollIoOps.NONE.equals(ops) ? NOTHING : ops);
    }

    @Override
    public boolean isValid() {
      return registration.isValid();
    }

    @Override
    public boolean cancel() {
      return registration.cancel();
    }
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return new SteadyRegistration(epoll.register(handle));
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return epoll.run(context);
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> type) {
    return epoll.isCompatible(type);
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }
}
