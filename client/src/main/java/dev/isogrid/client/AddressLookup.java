package dev.isogrid.client;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks host names up by the JDK, on threads that may wait: a slow name server holds up the
 * connection that needs it, and no other.
 */
final class AddressLookup extends AddressResolverGroup<InetSocketAddress> {
  private static final int THREADS_MAX = 4;
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor executor;

  AddressLookup() {
    executor =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // at most one for each server
            new DefaultThreadFactory("isogrid-client-lookup", true));
    executor.allowCoreThreadTimeOut(true);
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
    return new Names(loop, executor).asAddressResolver();
  }

  @Override
  public void close() {
    super.close();
    executor.shutdown();
  }

  private static final class Names extends InetNameResolver {
    private final ThreadPoolExecutor executor;

    Names(EventExecutor loop, ThreadPoolExecutor executor) {
      super(loop);
      this.executor = executor;
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> promise) {
      InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
      if (literal != null) {
        promise.setSuccess(literal);
        return;
      }
      lookUp(
          promise,
          () -> {
            try {
              promise.setSuccess(InetAddress.getByName(host));
            } catch (UnknownHostException cause) {
              promise.setFailure(cause);
            }
          });
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
      lookUp(
          promise,
          () -> {
            try {
              promise.setSuccess(List.of(InetAddress.getAllByName(host)));
            } catch (UnknownHostException cause) {
              promise.setFailure(cause);
            }
          });
    }

    private void lookUp(Promise<?> promise, Runnable task) {
      try {
        executor.execute(task);
      } catch (RejectedExecutionException closed) {
        promise.setFailure(closed);
      }
    }
  }
}
