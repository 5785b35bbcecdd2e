package dev.isogrid.bench.memory;

import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.server.Contestant;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Starts the processes that are measured.
 *
 * @param checkout where the programs are
 * @param heap the most heap of a JVM, as {@code -Xmx} takes it
 */
record Processes(Checkout checkout, String heap) {
  /** More memory than the largest data set needs. */
  private static final int MEMCACHED_MEGABYTES = 8192;

  private static final String MEMCACHED_THREADS = "2";

  /** The server of a row; nothing if it is not installed, or if the row is a library. */
  Optional<Contestant> server(Row row) throws IOException {
    return switch (row) {
      case ISOGRID_HOT_ROD, ISOGRID_MEMCACHED, ISOGRID_REST ->
          Optional.of(Contestant.isogrid(checkout, "-Xmx" + heap));
      case INFINISPAN_HOT_ROD ->
          Optional.of(Contestant.infinispan(checkout, List.of("-Xms32m", "-Xmx" + heap)));
      case MEMCACHED -> Contestant.memcached(MEMCACHED_THREADS, MEMCACHED_MEGABYTES);
      case REDIS -> Contestant.redis();
      default -> Optional.empty();
    };
  }

  /** Starts the empty process of a row. */
  MeasuredProcess start(Row row, DataSet set) throws IOException, InterruptedException {
    if (row.protocol() == null) {
      return LibraryChild.start(checkout, row, set, heap);
    }
    Contestant contestant =
        server(row).orElseThrow(() -> new IOException("not installed: " + row.id()));
    return new ServerChild(row, contestant, checkout.logs().resolve("memory-" + row.id() + ".log"));
  }
}
