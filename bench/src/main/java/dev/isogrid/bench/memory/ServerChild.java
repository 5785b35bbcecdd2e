package dev.isogrid.bench.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.load.Operation;
import dev.isogrid.bench.load.PipelinedConnection;
import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.server.Contestant;
import dev.isogrid.bench.server.Protocol;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, loaded through one of its protocols. */
final class ServerChild implements MeasuredProcess {
  /** Bytes of values per batch; then the replies are read. */
  private static final int BATCH_SIZE = 1 << 20;

  private static final int DEPTH_MAX = 128;

  /** Batches of random entries that are read after the load. */
  private static final int CHECKS = 20;

  private static final Pattern ISOGRID_COUNT =
      Pattern.compile("\"off_heap_memory_used\" *: *(\\d+)");
  private static final Pattern MEMCACHED_COUNT = Pattern.compile("STAT bytes (\\d+)");
  private static final Pattern REDIS_COUNT = Pattern.compile("used_memory:(\\d+)");

  private final Row row;
  private final Protocol protocol;
  private final Contestant contestant;
  private final Child child;

  /** Starts a server. */
  ServerChild(Row row, Contestant contestant, Path log) throws IOException, InterruptedException {
    this.row = row;
    this.protocol = Objects.requireNonNull(row.protocol());
    this.contestant = contestant;
    this.child = contestant.start(log);
  }

  @Override
  public long pid() {
    return child.pid();
  }

  @Override
  public boolean isJvm() {
    return row != Row.MEMCACHED && row != Row.REDIS;
  }

  @Override
  public void load(DataSet set) throws IOException {
    Entries entries = set.entries();
    int depth = Math.clamp(BATCH_SIZE / set.entrySize(), 1, DEPTH_MAX);
    try (PipelinedConnection connection =
        new PipelinedConnection(
            port(protocol), protocol.wire(entries.value().length), entries, depth, 0)) {
      connection.putAll();
      // A server that refuses or evicts entries would look small.
      for (int i = 0; i < CHECKS; i++) {
        connection.runBatch(Operation.GET);
      }
    }
  }

  private int port(Protocol wanted) {
    return Objects.requireNonNull(contestant.ports().get(wanted));
  }

  @Override
  public OwnCount ownCount() throws IOException {
    return switch (row) {
      case ISOGRID_HOT_ROD, ISOGRID_REST ->
          ask(Protocol.REST, statistics(Contestant.CACHE), "}", ISOGRID_COUNT);
      case ISOGRID_MEMCACHED ->
          ask(Protocol.REST, statistics(Contestant.MEMCACHED_CACHE), "}", ISOGRID_COUNT);
      case MEMCACHED -> ask(Protocol.MEMCACHED, "stats\r\n", "END", MEMCACHED_COUNT);
      case REDIS -> ask(Protocol.RESP, "INFO memory\r\nQUIT\r\n", "+OK", REDIS_COUNT);
      default -> OwnCount.NONE;
    };
  }

  private static String statistics(String cache) {
    return "GET /rest/v2/caches/%s?action=stats HTTP/1.1\r\n".formatted(cache)
        + "Host: localhost\r\nConnection: close\r\n\r\n";
  }

  /** Sends a request on a connection of its own and looks for a number in the reply. */
  private OwnCount ask(Protocol where, String request, String lastLineStart, Pattern number)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(where));
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))) {
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher matcher = number.matcher(line);
        if (matcher.find()) {
          return OwnCount.of(Long.parseLong(matcher.group(1)));
        }
        if (line.startsWith(lastLineStart)) {
          break;
        }
      }
    }
    return OwnCount.NONE;
  }

  @Override
  public void close() {
    child.close();
  }
}
