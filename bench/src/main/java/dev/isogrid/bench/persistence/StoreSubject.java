package dev.isogrid.bench.persistence;

import dev.isogrid.bench.load.Wire;
import dev.isogrid.bench.process.ProcessFacts;
import dev.isogrid.bench.report.Samples;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cache of a server, and what it took to write to it. For one thread. */
final class StoreSubject {
  private final String name;
  private final int port;
  private final Supplier<Wire> wire;
  private final ProcessFacts process;
  private final @Nullable Path folder;
  private final Samples rates = new Samples();
  private long puts;
  private long writtenBytes;

  /**
   * Describes a cache.
   *
   * @param port of its server
   * @param wire makes one end of a connection
   * @param pid of its server
   * @param folder its files; null if it has none
   */
  StoreSubject(String name, int port, Supplier<Wire> wire, long pid, @Nullable Path folder) {
    this.name = name;
    this.port = port;
    this.wire = wire;
    this.process = new ProcessFacts(pid);
    this.folder = folder;
  }

  String name() {
    return name;
  }

  int port() {
    return port;
  }

  Supplier<Wire> wire() {
    return wire;
  }

  Samples rates() {
    return rates;
  }

  /** Measures a load. */
  void measure(PutLoad load, long millis) throws IOException, InterruptedException {
    long before = process.writtenBytes();
    PutLoad.Done done = load.run(this, millis);
    writtenBytes += process.writtenBytes() - before;
    puts += done.puts();
    rates.add(done.perSecond());
  }

  /**
   * Returns cells with the bytes that were written per byte of the puts, and the bytes of the files
   * per byte of the entries.
   *
   * @param entryBytes of a key and its value
   * @param count of the entries
   */
  List<String> diskCells(long entryBytes, long count) throws IOException {
    List<String> cells = new ArrayList<>(List.of(name));
    if (folder == null) {
      cells.addAll(List.of("-", "-"));
    } else {
      cells.add(Samples.text((double) writtenBytes / (puts * entryBytes)));
      cells.add(Samples.text((double) bytes(folder) / (count * entryBytes)));
    }
    return cells;
  }

  /** Returns the bytes of all files in a folder, of which some may be deleted meanwhile. */
  private static long bytes(Path folder) throws IOException {
    AtomicLong sum = new AtomicLong();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum.addAndGet(attributes.size());
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    return sum.get();
  }
}
