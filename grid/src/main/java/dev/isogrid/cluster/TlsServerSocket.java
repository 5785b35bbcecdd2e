package dev.isogrid.cluster;

import dev.isogrid.base.Env;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Accepts only clients with a trusted certificate. A client without one, or that takes too long,
 * keeps nobody else waiting. Thread-safe.
 */
final class TlsServerSocket extends ServerSocket {
  /*
   * JGroups accepts connections in one thread, and there reads from each what it is: a peer that
   * says nothing would keep all others out. So the handshakes are made here, each in a task of its
   * own, and JGroups sees a connection when it is known to be of a node. A new connection closes
   * those whose handshake has taken too long, or the oldest if too many are under way.
   */

  private static final int HANDSHAKES_MAX = 64;
  private static final int HANDSHAKE_MILLIS_MAX = 5000;
  private static final long POLL_MILLIS = 100;

  /** A connection that has not shown a certificate yet. */
  private static final class Handshake {
    private final Socket socket;
    private final long deadlineNanos;

    Handshake(Socket socket, long deadlineNanos) {
      this.socket = socket;
      this.deadlineNanos = deadlineNanos;
    }
  }

  private final Env env;
  private final SSLSocketFactory sockets;
  private final SSLParameters parameters;
  private final LossLog refusals;
  private final BlockingQueue<Socket> accepted = new ArrayBlockingQueue<>(HANDSHAKES_MAX);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ReentrantLock lock = new ReentrantLock();
  // guarded by: lock
  private final ArrayDeque<Handshake> handshakes = new ArrayDeque<>();

  /** An unbound one. Accepting begins when it is bound. */
  TlsServerSocket(Env env, SSLSocketFactory sockets, SSLParameters parameters, LossLog refusals)
      throws IOException {
    this.env = env;
    this.sockets = sockets;
    this.parameters = parameters;
    this.refusals = refusals;
  }

  @Override
  public void bind(SocketAddress endpoint, int backlog) throws IOException {
    super.bind(endpoint, backlog);
    try {
      env.scheduler().execute(this::acceptAll);
    } catch (RejectedExecutionException closing) {
      throw new SocketException("node is closing", closing);
    }
  }

  private void acceptAll() {
    while (!isClosed()) {
      try {
        begin(super.accept());
      } catch (IOException | RejectedExecutionException failure) {
        if (!isClosed()) {
          refusals.add(() -> "connection to the cluster port not accepted: reason=" + failure);
          pause();
        }
      }
    }
  }

  /** So that a failure that stays, as of too many open files, does not keep a processor busy. */
  private void pause() {
    try {
      boolean isOver = closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
      assert !isOver || isClosed();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void begin(Socket socket) throws IOException {
    Handshake handshake =
        new Handshake(socket, env.nanoClock().nanoTime() + HANDSHAKE_MILLIS_MAX * 1_000_000L);
    add(handshake);
    env.scheduler().execute(() -> finish(handshake));
  }

  /** Closes those that are too slow, or the oldest if there are too many. */
  private void add(Handshake handshake) throws IOException {
    lock.lock();
    try {
      long now = env.nanoClock().nanoTime();
      for (Handshake oldest = handshakes.peek();
          oldest != null && (handshakes.size() >= HANDSHAKES_MAX || now - oldest.deadlineNanos > 0);
          oldest = handshakes.peek()) {
        handshakes.remove();
        oldest.socket.close();
      }
      handshakes.add(handshake);
    } finally {
      lock.unlock();
    }
  }

  private void finish(Handshake handshake) {
    Socket plain = handshake.socket;
    try {
      plain.setSoTimeout(HANDSHAKE_MILLIS_MAX);
      SSLSocket socket = (SSLSocket) sockets.createSocket(plain, null, true);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      socket.setSoTimeout(TlsSockets.IDLE_MILLIS_MAX);
      hand(socket);
    } catch (IOException | RuntimeException refused) {
      if (!isClosed()) {
        refusals.add(() -> refusal(plain, refused.toString()));
      }
      closeQuietly(plain);
    } finally {
      lock.lock();
      try {
        handshakes.remove(handshake);
      } finally {
        lock.unlock();
      }
    }
  }

  private static String refusal(Socket socket, String reason) {
    return "connection to the cluster port refused: from=%s, reason=%s; nodes need a certificate"
            .formatted(socket.getRemoteSocketAddress(), reason)
        + " that is trusted here, or the secret of this cluster";
  }

  private void hand(SSLSocket socket) throws IOException {
    boolean isTaken = !isClosed() && accepted.offer(socket);
    if (!isTaken || (isClosed() && accepted.remove(socket))) {
      throw new SocketException("nobody takes it");
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException unimportant) {
      // It was of no use any more.
    }
  }

  /** The next connection of a node. Blocks until there is one or this is closed. */
  @Override
  public Socket accept() throws IOException {
    try {
      while (!isClosed()) {
        Socket next = accepted.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
          return next;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new SocketException("closed");
  }

  @Override
  public void close() throws IOException {
    super.close();
    closed.countDown();
    for (Socket next = accepted.poll(); next != null; next = accepted.poll()) {
      closeQuietly(next);
    }
    lock.lock();
    try {
      handshakes.forEach(handshake -> closeQuietly(handshake.socket));
    } finally {
      lock.unlock();
    }
  }
}
