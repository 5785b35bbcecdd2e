package dev.isogrid.verify.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers to listen to. They lie below those that the operating system gives to
 * connections, one of which could otherwise take a port before its server does.
 */
public final class FreePorts {
  private static final int MIN = 12_000;
  private static final int MAX = 32_000;
  private static final int ATTEMPTS = 100;

  private FreePorts() {}

  /** One that is free now. */
  public static int one() {
    IOException last = new IOException("no port tried");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(MIN, MAX);
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw new UncheckedIOException(last);
  }

  /** Several different ones. */
  public static List<Integer> several(int count) {
    Set<Integer> ports = new LinkedHashSet<>();
    while (ports.size() < count) {
      ports.add(one());
    }
    return List.copyOf(ports);
  }
}
