package dev.isogrid.client.pooled;

import dev.isogrid.api.GridConfig;
import dev.isogrid.client.ClientConfig;
import dev.isogrid.client.Intelligence;
import dev.isogrid.server.Protection;
import dev.isogrid.server.Server;
import dev.isogrid.server.ServerSettings;
import dev.isogrid.wire.Versions;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A real server behind a proxy that knows no newer version than a given one, can hold its answers
 * back, and has seen which requests came through which connection.
 */
final class OldServer implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int HIGH_BIT = 0x80;

  private final Server server;
  private final int versionMax;
  private final boolean closes;
  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();

  /** Guarded by the lock. */
  private boolean holds;

  /** The requests of one connection. */
  record Seen(List<Integer> versions, List<Integer> opcodes) {}

  /** One that speaks all versions. */
  OldServer() throws IOException {
    this(Versions.NEWEST, false, Protection.NONE);
  }

  /**
   * One that speaks older versions.
   *
   * @param closes whether it ends connections that are spoken to in a newer one
   */
  OldServer(int versionMax, boolean closes, Protection protection) throws IOException {
    this.versionMax = versionMax;
    this.closes = closes;
    server = Server.start(ServerSettings.local(0, GridConfig.builder().build(), protection));
    listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** A client that stays at the proxy and gives a busy machine time. */
  ClientConfig.Builder client() {
    return ClientConfig.builder()
        .addServer("127.0.0.1", listening.getLocalPort())
        .intelligence(Intelligence.BASIC)
        .connectTimeoutMillis(20_000)
        .operationTimeoutMillis(20_000);
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket behind = new Socket(server.address().getAddress(), server.address().getPort());
        open.add(client);
        Seen requests = new Seen(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
        seen.add(requests);
        Thread.ofVirtual().start(() -> passRequests(client, behind, requests));
        Thread.ofVirtual().start(() -> passAnswers(behind, client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void passRequests(Socket client, Socket behind, Seen requests) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (client;
        behind) {
      InputStream in = client.getInputStream();
      OutputStream out = behind.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        int at = 1;
        while ((buffer[at] & HIGH_BIT) != 0) {
          at++;
        }
        int version = buffer[at + 1];
        if (version <= versionMax) {
          requests.versions.add(version);
          requests.opcodes.add((int) buffer[at + 2]);
          out.write(buffer, 0, count);
        } else if (closes) {
          return;
        } else {
          client.getOutputStream().write(refusal(buffer, at));
        }
      }
    } catch (IOException cut) {
      open.remove(client);
    } finally {
      open.remove(client);
    }
  }

  private static byte[] refusal(byte[] request, int idEnd) {
    byte[] text = "unknown version".getBytes(StandardCharsets.UTF_8);
    byte[] refusal = new byte[idEnd + 5 + text.length];
    System.arraycopy(request, 0, refusal, 0, idEnd + 1);
    refusal[0] = (byte) 0xA1;
    refusal[idEnd + 1] = 0x50;
    refusal[idEnd + 2] = (byte) 0x83;
    refusal[idEnd + 4] = (byte) text.length;
    System.arraycopy(text, 0, refusal, idEnd + 5, text.length);
    return refusal;
  }

  private void passAnswers(Socket behind, Socket client) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (behind;
        client) {
      InputStream in = behind.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        awaitRelease();
        out.write(buffer, 0, count);
      }
    } catch (IOException cut) {
      open.remove(client);
    }
  }

  private void awaitRelease() {
    lock.lock();
    try {
      while (holds) {
        released.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Holds all answers back, or no more. */
  void hold(boolean held) {
    lock.lock();
    try {
      holds = held;
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many connections are open. */
  int connections() {
    return open.size();
  }

  /** The requests of each connection so far. */
  List<Seen> seen() {
    return new ArrayList<>(seen);
  }

  /** Cuts all connections; new ones are passed on. */
  void cut() {
    open.forEach(OldServer::close);
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
    hold(false);
    close(listening);
    cut();
    server.close();
  }
}
