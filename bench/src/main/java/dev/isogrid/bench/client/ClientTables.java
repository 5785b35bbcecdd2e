package dev.isogrid.bench.client;

import dev.isogrid.bench.report.Report;
import dev.isogrid.bench.report.Samples;
import dev.isogrid.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the figures of all rounds and makes tables of them. Not thread-safe. */
final class ClientTables {
  /** The client that the others are compared with. */
  private static final ClientLibrary REFERENCE = ClientLibrary.INFINISPAN_16;

  private record Row(ServerSet.Product product, ClientCase load, ClientLibrary library) {}

  private static final class Cells {
    final Samples rate = new Samples();
    final Samples processor = new Samples();
    final Samples servers = new Samples();
    final Samples bytes = new Samples();
    final Samples megabytes = new Samples();
    final Samples connections = new Samples();
    long failed;
  }

  private static final class StallCells {
    final Samples before = new Samples();
    final Samples during = new Samples();
    final Samples failed = new Samples();
    final Samples heap = new Samples();
    final Samples recovery = new Samples();
  }

  private final Map<Row, Cells> rows = new LinkedHashMap<>();
  private final Map<ClientLibrary, StallCells> stalls = new LinkedHashMap<>();

  /**
   * Adds the figures of one load.
   *
   * @param serverSeconds the processor time of the servers meanwhile
   */
  void add(
      ServerSet.Product product,
      ClientCase load,
      ClientLibrary library,
      ClientFigures figures,
      double serverSeconds) {
    Cells cells = rows.computeIfAbsent(new Row(product, load, library), _ -> new Cells());
    cells.rate.add(figures.rate());
    cells.processor.add(figures.processorMicros());
    cells.servers.add(serverSeconds * 1e6 / figures.done());
    cells.bytes.add(figures.bytes());
    cells.megabytes.add(figures.megabytesPerSecond());
    cells.connections.add((double) figures.connections());
    cells.failed += figures.failed();
  }

  /**
   * Adds the figures of a stall of a server.
   *
   * @param seconds from the server's continuation to the client's recovery; NaN if it did not
   *     recover
   */
  void addStall(ClientLibrary library, ClientFigures before, ClientFigures during, double seconds) {
    StallCells cells = stalls.computeIfAbsent(library, _ -> new StallCells());
    cells.before.add(before.rate());
    cells.during.add(during.rate());
    cells.failed.add((double) during.failed());
    cells.heap.add(during.heapBytes() / 1e6);
    cells.recovery.add(seconds);
  }

  /** Adds tables and remarks to a report. */
  void addTo(Report report) {
    report.remark(
        "1/3 is one client process and three servers; `mix` is a put, a get and a remove of random"
            + " keys in equal shares; values are as large as said, keys some 8 bytes; nothing is"
            + " marshalled.");
    report.remark(
        "Infinispan's clients run on the libraries of their releases, with their usual settings;"
            + " all clients wait 10 s for an answer. Infinispan's server is its Hot Rod endpoint"
            + " alone: one local cache, or with three servers one of two owners, as ours is.");
    report.remark(
        "Processor time and allocation of a client are those of its whole process, all threads,"
            + " and of the servers those of all their processes; clients and servers share the"
            + " processors, over the loopback address.");
    report.add(rates());
    report.add(costs());
    if (!stalls.isEmpty()) {
      report.add(stalled());
    }
  }

  private static List<String> names(Row row) {
    return List.of(row.product.id(), row.load.label(), row.library.label());
  }

  private static List<String> joined(List<String> first, String... second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(List.of(second));
    return all;
  }

  /** The ratio of the medians to those of the reference, or a dash. */
  private String ratio(Row row, Cells cells) {
    Cells reference = rows.get(new Row(row.product, row.load, REFERENCE));
    double ratio = reference == null ? Double.NaN : cells.rate.median() / reference.rate.median();
    return Samples.text(ratio);
  }

  private Table rates() {
    List<String> header = List.of("servers", "clients/servers, load", "client");
    Table table =
        new Table(
            "Operations per second",
            header.size(),
            joined(header, "1/s", "min", "max", "to " + REFERENCE.label(), "failed"));
    rows.forEach((row, cells) -> {
      List<String> line = joined(names(row), cells.rate.cells().toArray(String[]::new));
      table.add(joined(line, ratio(row, cells), String.valueOf(cells.failed)));
    });
    return table;
  }

  private Table costs() {
    List<String> header = List.of("servers", "clients/servers, load", "client");
    Table table =
        new Table(
            "The cost of an operation (medians)",
            header.size(),
            joined(
                header,
                "processor of the client, µs",
                "of the servers, µs",
                "allocated, B",
                "allocated, MB/s",
                "connections"));
    rows.forEach((row, cells) ->
        table.add(
            joined(
                names(row),
                Samples.text(cells.processor.median()),
                Samples.text(cells.servers.median()),
                Samples.text(cells.bytes.median()),
                Samples.text(cells.megabytes.median()),
                String.valueOf((long) cells.connections.max()))));
    return table;
  }

  private Table stalled() {
    Table table =
        new Table(
            "One of three servers stopped under load, and let go on (medians)",
            1,
            List.of(
                "client",
                "before, 1/s",
                "meanwhile, 1/s",
                "failed",
                "heap in use, MB",
                "recovered after, s",
                "at most, s"));
    stalls.forEach((library, cells) ->
        table.add(
            List.of(
                library.label(),
                Samples.text(cells.before.median()),
                Samples.text(cells.during.median()),
                Samples.text(cells.failed.median()),
                Samples.text(cells.heap.median()),
                Samples.text(cells.recovery.median()),
                Samples.text(cells.recovery.max()))));
    return table;
  }
}
