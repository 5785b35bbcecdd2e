package dev.isogrid.server;

import dev.isogrid.base.NanoClock;
import dev.isogrid.server.log.ServerLog;
import dev.isogrid.wire.ExpiryUnits;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Versions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Runs a cluster of three servers in one process, serves requests of all protocols for some
 * seconds, and ends. The JVM saves the classes and method profiles in the file of {@code
 * -XX:AOTCacheOutput}, so that servers are fast from their first requests on.
 */
public final class Rehearsal {
  private static final int SERVERS = 3;

  /** The limit of all waits, enough for a busy machine. */
  private static final int WAIT_SECONDS = 60;

  private static final int VALUE_BYTES = 800;
  private static final String VALUE = "v".repeat(VALUE_BYTES);
  private static final int KEYS = 2000;

  /** A connection of a client, with one request at a time. */
  private static final class Talk implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] reply = new byte[1 << 16];

    Talk(InetSocketAddress address) throws IOException {
      socket = new Socket(address.getAddress(), address.getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
      in = socket.getInputStream();
      out = socket.getOutputStream();
    }

    /** Sends a request, and reads an answer, which arrives in one piece if it is short. */
    void ask(byte[] request) throws IOException {
      out.write(request);
      if (in.read(reply) < 0) {
        throw new IOException("connection closed by the server: address=" + socket);
      }
    }

    /** Sends a request, and reads until the server closes the connection. */
    void askToEnd(byte[] request) throws IOException {
      out.write(request);
      in.transferTo(OutputStream.nullOutputStream());
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private Rehearsal() {}

  /** Runs the servers. The only argument is the number of seconds to serve requests. */
  public static void main(String[] args) throws Exception {
    ServerLog lines = ServerLog.ofProcess();
    if (lines != null) {
      lines.adoptForeign();
    }
    long nanos = TimeUnit.SECONDS.toNanos(Integer.parseInt(args[0]));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      LinkedBlockingQueue<Server> started = new LinkedBlockingQueue<>();
      List<Future<Integer>> runs = new ArrayList<>();
      for (String[] options : options()) {
        runs.add(threads.submit(() -> Main.run(options, System.out, System.err, started::add)));
      }
      List<Server> servers = new ArrayList<>();
      for (int i = 0; i < SERVERS; i++) {
        servers.add(next(started, runs));
      }
      try {
        rehearse(servers, nanos, threads);
      } finally {
        servers.forEach(Server::close);
      }
    }
  }

  /**
   * The options of the servers, as on the command line. The first has the name and the port for
   * memcached that most servers have, so that these classes are saved as well.
   */
  private static List<String[]> options() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i <= SERVERS; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
    } finally {
      for (ServerSocket each : held) {
        each.close();
      }
    }
    String cluster = "rehearsal-" + UUID.randomUUID();
    List<String> ports = held.stream().map(each -> String.valueOf(each.getLocalPort())).toList();
    List<String> nodes = ports.subList(0, SERVERS);
    String seeds = nodes.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    List<String[]> servers = new ArrayList<>();
    for (String port : nodes) {
      List<String> options =
          new ArrayList<>(List.of("--bind", "127.0.0.1", "--port", "0", "--cluster", cluster));
      options.addAll(List.of("--cluster-port", port, "--join", seeds, "--memcached-port"));
      options.addAll(
          servers.isEmpty()
              ? List.of(ports.getLast())
              : List.of("0", "--node-name", "node-" + port));
      servers.add(options.toArray(String[]::new));
    }
    return servers;
  }

  /** Waits for a server, or fails with the reason why none comes. */
  private static Server next(LinkedBlockingQueue<Server> started, List<Future<Integer>> runs)
      throws InterruptedException, ExecutionException {
    for (int second = 0; second < WAIT_SECONDS; second++) {
      Server server = started.poll(1, TimeUnit.SECONDS);
      if (server != null) {
        return server;
      }
      for (Future<Integer> run : runs) {
        if (run.isDone()) {
          throw new IllegalStateException("server not started: code=" + run.get());
        }
      }
    }
    throw new IllegalStateException("servers not ready: waited=%d s".formatted(WAIT_SECONDS));
  }

  private static void rehearse(List<Server> servers, long nanos, ExecutorService threads)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<Future<?>> clients = new ArrayList<>();
    for (Server server : servers) {
      clients.add(threads.submit(() -> talk(server, nanos)));
    }
    for (Future<?> client : clients) {
      client.get(WAIT_SECONDS + TimeUnit.NANOSECONDS.toSeconds(nanos), TimeUnit.SECONDS);
    }
  }

  /** Sends the first requests of operators: figures take long then, since libraries are loaded. */
  private static void look(Server server) throws IOException {
    for (String path : List.of("metrics", "console/", "rest/v2/caches?action=detailed")) {
      try (Talk talk = new Talk(server.address())) {
        talk.askToEnd(
            bytes(
                "GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
                    .formatted(path)));
      }
    }
  }

  /** Mostly Hot Rod, since its clients have the most operations. */
  private static void talk(Server server, long nanos) {
    NanoClock clock = server.node().env().nanoClock();
    long begin = clock.nanoTime();
    try (Talk hotRod = new Talk(server.address());
        Talk memcached = new Talk(server.address());
        Talk rest = new Talk(server.address())) {
      for (int i = 0; clock.nanoTime() - begin < nanos; i++) {
        String key = "key-" + i % KEYS;
        hotRod.ask(hotRodPut(key));
        hotRod.ask(hotRodGet(key));
        if (i % 4 == 0) {
          memcached.ask(bytes("set %s 0 0 %d\r\n%s\r\n".formatted(key, VALUE_BYTES, VALUE)));
          memcached.ask(bytes("get %s\r\n".formatted(key)));
          rest.ask(restPut(key));
          rest.ask(restGet("caches/default/" + key));
        }
        if (i % KEYS == 0) {
          look(server);
          rest.ask(restGet("container/health"));
          rest.ask(restGet("caches/default?action=stats"));
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static byte[] hotRodPut(String key) {
    ByteArrayOutputStream request = hotRod(Opcodes.PUT, key);
    request.write(ExpiryUnits.BOTH_DEFAULT);
    request.write((VALUE_BYTES & 0x7F) | 0x80); // a number of seven bits per byte
    request.write(VALUE_BYTES >>> 7);
    request.writeBytes(bytes(VALUE));
    return request.toByteArray();
  }

  private static byte[] hotRodGet(String key) {
    return hotRod(Opcodes.GET, key).toByteArray();
  }

  private static ByteArrayOutputStream hotRod(int opcode, String key) {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write(HotRod.REQUEST_MAGIC);
    request.write(1); // the number of the request
    request.write(Versions.NEWEST);
    request.write(opcode);
    request.write(0); // the default cache
    request.write(0); // no flags
    request.write(HotRod.INTELLIGENCE_BASIC);
    request.write(0); // no topology
    request.write(HotRod.MEDIA_NONE);
    request.write(HotRod.MEDIA_NONE);
    request.write(0); // no other parameters
    request.write(key.length());
    request.writeBytes(bytes(key));
    return request;
  }

  private static byte[] restPut(String key) {
    return bytes(
        ("PUT /rest/v2/caches/default/%s HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s")
            .formatted(key, VALUE_BYTES, VALUE));
  }

  private static byte[] restGet(String path) {
    return bytes("GET /rest/v2/%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".formatted(path));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
