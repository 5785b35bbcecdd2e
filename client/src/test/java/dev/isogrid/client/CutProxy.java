package dev.isogrid.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Passes connections on to a server of this machine, and can cut them. */
final class CutProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final int serverPort;
  private final ServerSocket listening;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Run when the next answer comes, which is lost with its connection; null if none is lost. */
  private final AtomicReference<@Nullable Runnable> loss = new AtomicReference<>();

  private volatile boolean isSilent;

  CutProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        sockets.add(client); // closed with the others if there is no server any more
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        sockets.add(server);
        Thread.ofVirtual().start(() -> pass(client, server, false));
        Thread.ofVirtual().start(() -> pass(server, client, true));
      } catch (IOException closed) {
        cut();
      }
    }
  }

  private void pass(Socket from, Socket to, boolean isAnswer) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        Runnable lost = isAnswer ? loss.getAndSet(null) : null;
        if (lost != null) {
          lost.run();
          return;
        }
        if (!isAnswer || !isSilent) {
          out.write(buffer, 0, count);
        }
      }
    } catch (IOException cut) {
      sockets.remove(from);
    }
  }

  /** Lets the next answer be lost with its connection. */
  void loseNextAnswer() {
    loseNextAnswer(() -> {});
  }

  /**
   * As {@link #loseNextAnswer()}.
   *
   * @param before run before the connection is cut
   */
  void loseNextAnswer(Runnable before) {
    loss.set(before);
  }

  /** Passes no answers on from now on. */
  void fallSilent() {
    isSilent = true;
  }

  /** Cuts all connections; new ones are passed on. */
  void cut() {
    sockets.forEach(CutProxy::close);
    sockets.clear();
  }

  private static void close(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    close(listening);
    cut();
  }
}
