package dev.isogrid.bench.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.api.StorageType;
import dev.isogrid.bench.load.Entries;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A process that runs a measured library and nothing else. It reads commands from a connection, one
 * per line, and answers each with a line. It ends when the connection ends.
 */
final class LibraryProcess {
  /** The beginning of the line that reports that the process is ready; the port follows. */
  static final String READY_TEXT = "library ready on ";

  /** Loads all entries. */
  static final String LOAD = "load";

  /** Asks for the library's own count. */
  static final String COUNT = "count";

  /** The time within which the parent process must connect. */
  private static final int CONNECT_MILLIS_MAX = 60_000;

  private LibraryProcess() {}

  /**
   * Runs until the connection ends.
   *
   * @param arguments a constant of {@link Row} and one of {@link DataSet}
   */
  public static void main(String[] arguments) throws IOException {
    DataSet set = DataSet.valueOf(arguments[1]);
    Library library = open(Row.valueOf(arguments[0]), set);
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(CONNECT_MILLIS_MAX);
      System.out.println(READY_TEXT + server.getLocalPort());
      try (Socket socket = server.accept()) {
        serve(socket, library, set);
      }
    }
    System.exit(0); // libraries leave threads behind
  }

  private static Library open(Row row, DataSet set) {
    return switch (row) {
      case ISOGRID_HEAP_OBJECT -> IsogridLibrary.objects();
      case ISOGRID_HEAP_BINARY -> IsogridLibrary.plain(StorageType.HEAP_BINARY);
      case ISOGRID_OFF_HEAP -> IsogridLibrary.plain(StorageType.OFF_HEAP);
      case ISOGRID_OFF_HEAP_BOUNDED -> IsogridLibrary.expiringAndBounded(set.count());
      case INFINISPAN_HEAP -> InfinispanLibrary.heap();
      case INFINISPAN_OFF_HEAP -> InfinispanLibrary.offHeap();
      case CONCURRENT_HASH_MAP -> ReferenceMap.concurrentHashMap();
      case CAFFEINE -> ReferenceMap.caffeine(set.count());
      case HAZELCAST -> new HazelcastLibrary();
      case ISOGRID_HOT_ROD, ISOGRID_MEMCACHED, ISOGRID_REST, INFINISPAN_HOT_ROD, MEMCACHED, REDIS ->
          throw new IllegalArgumentException("a server, not a library: " + row.id());
    };
  }

  private static void serve(Socket socket, Library library, DataSet set) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    OutputStream out = socket.getOutputStream();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.equals(LOAD)) {
        load(library, set);
      }
      out.write((library.ownCount().text() + "\n").getBytes(US_ASCII));
      out.flush();
    }
  }

  private static void load(Library library, DataSet set) {
    Entries entries = set.entries();
    for (int i = 0; i < entries.count(); i++) {
      library.put(entries.key(i), entries.value());
    }
    if (library.count() != set.count()) {
      throw new IllegalStateException(
          "entries are missing: there=%d, loaded=%d".formatted(library.count(), set.count()));
    }
  }
}
