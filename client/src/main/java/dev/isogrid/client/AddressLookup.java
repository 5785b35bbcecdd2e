package dev.isogrid.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Looks host names up by the JDK, on threads that may wait: a slow name server holds up the
 * connection that needs it, and no other. Thread-safe.
 */
final class AddressLookup {
  private static final int THREADS_MAX = 4;
  private static final long IDLE_SECONDS = 10;

  /**
   * An IPv4 address, or anything with a colon, which no host name has: the JDK needs no name server
   * for them.
   */
  private static final Pattern LITERAL = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|.*:.*");

  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(
          THREADS_MAX,
          THREADS_MAX,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(), // at most one for each connection that is made
          new DaemonThreads("isogrid-client-lookup"));

  AddressLookup() {
    executor.allowCoreThreadTimeOut(true);
  }

  /** Returns whether a host is given by its address. */
  static boolean isLiteral(String host) {
    return LITERAL.matcher(host).matches();
  }

  /**
   * Finds the address of a server.
   *
   * @param found called by this thread or another one; the address is unresolved if there is none
   */
  void find(ServerAddress server, Consumer<InetSocketAddress> found) {
    if (isLiteral(server.host())) {
      found.accept(resolved(server));
      return;
    }
    try {
      executor.execute(() -> found.accept(resolved(server)));
    } catch (RejectedExecutionException closed) {
      found.accept(InetSocketAddress.createUnresolved(server.host(), server.port()));
    }
  }

  private static InetSocketAddress resolved(ServerAddress server) {
    try {
      return new InetSocketAddress(InetAddress.getByName(server.host()), server.port());
    } catch (UnknownHostException unknown) {
      return InetSocketAddress.createUnresolved(server.host(), server.port());
    }
  }

  void close() {
    executor.shutdown();
  }
}
