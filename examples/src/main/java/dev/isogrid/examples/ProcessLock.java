package dev.isogrid.examples;

import dev.isogrid.api.ClusterConfig;
import dev.isogrid.api.FencedLock;
import dev.isogrid.api.Grid;
import dev.isogrid.api.GridConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A lock between two processes, one of which is killed while it has the lock. The other one gets it
 * some seconds later, with a greater fence: a storage that keeps the greatest fence can refuse what
 * the killed one still had under way.
 */
public final class ProcessLock {
  private ProcessLock() {}

  private static Grid join(int port, int founder) {
    List<String> seeds = port == founder ? List.of() : List.of("127.0.0.1:" + founder);
    return Grid.start(
        GridConfig.builder()
            .nodeName("node-" + port)
            .cluster(ClusterConfig.builder().bindPort(port).seeds(seeds).build())
            .build());
  }

  /**
   * Runs the example.
   *
   * @param args the ports of two nodes, or nothing; with the word {@code hold} the second process
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int founder = args.length < 2 ? 7800 : Integer.parseInt(args[0]);
    int other = args.length < 2 ? 7801 : Integer.parseInt(args[1]);
    if (args.length == 3) {
      hold(other, founder);
      return;
    }
    try (Grid grid = join(founder, founder)) {
      FencedLock lock = grid.locks().lock("invoices");
      Process holder = startHolder(founder, other);
      try (BufferedReader lines = holder.inputReader(StandardCharsets.UTF_8)) {
        long before = fence(lines);
        System.out.println("free while the other process has it: " + (lock.tryLock() != 0));
        holder.destroyForcibly().waitFor();
        long fence = lock.lock();
        System.out.println("greater fence after its death: " + (fence > before));
        lock.unlock();
      }
    }
  }

  private static Process startHolder(int founder, int other) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            ProcessLock.class.getName(),
            String.valueOf(founder),
            String.valueOf(other),
            "hold")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void hold(int port, int founder) throws IOException {
    Grid grid = join(port, founder); // never closed: this process is killed
    System.out.println("fence " + grid.locks().lock("invoices").lock());
    System.in.read();
  }

  private static long fence(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith("fence ")) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("the other process ended before it had the lock");
    }
    return Long.parseLong(line.substring("fence ".length()));
  }
}
