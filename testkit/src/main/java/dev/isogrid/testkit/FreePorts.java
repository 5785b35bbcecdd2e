package dev.isogrid.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports that a test may bind a server to, each handed out once.
 *
 * <p>A port belongs to this JVM until the JVM ends: it holds a lock on one byte of a file that all
 * tests of a user share, and no other JVM is given that port meanwhile. The ports lie below those
 * that the operating system gives to connections, so that no connection takes one before the server
 * does. The port that lies {@link #NEIGHBOUR} above a given one is given to nobody: a cluster node
 * binds it too. Thread-safe.
 */
public final class FreePorts {
  /** Distance of the port on which a node watches the processes of the others. */
  private static final int NEIGHBOUR = 100;

  private static final int MIN = 12_000;

  /** Below the ports of the chaos runs, which are below the operating system's. */
  private static final int MAX = 22_000;

  /** More than enough while a tenth of all ports is free. */
  private static final int ATTEMPTS_MAX = 1_000;

  private static final FileChannel CLAIMS = openClaims();

  private FreePorts() {}

  private static FileChannel openClaims() {
    Path file =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "isogrid-test-ports-" + System.getProperty("user.name"));
    try {
      return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open the list of ports: file=" + file, e);
    }
  }

  /** Returns a port that nothing listens to, and that no other caller gets. */
  public static int one() {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(MIN, MAX);
      if (!isNeighbour(port) && claim(port) != null && isFree(port) && isFree(port + NEIGHBOUR)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port: from=%d, below=%d, attempts=%d".formatted(MIN, MAX, ATTEMPTS_MAX));
  }

  /** Returns several such ports. */
  public static List<Integer> several(int count) {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < count) {
      ports.add(one());
    }
    return List.copyOf(ports);
  }

  /** Every second hundred consists of neighbours of the hundred below it. */
  private static boolean isNeighbour(int port) {
    return (port - MIN) / NEIGHBOUR % 2 == 1;
  }

  private static boolean isFree(int port) {
    return isFree(port, null) && isFree(port, "127.0.0.1");
  }

  /** A lock that the operating system releases when this JVM ends; null if another one has it. */
  private static @Nullable FileLock claim(int port) {
    try {
      return CLAIMS.tryLock(port, 1, false);
    } catch (OverlappingFileLockException ours) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot claim a port: port=" + port, e);
    }
  }

  private static boolean isFree(int port, @Nullable String host) {
    try (ServerSocket socket =
        new ServerSocket(port, 1, host == null ? null : InetAddress.getByName(host))) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
