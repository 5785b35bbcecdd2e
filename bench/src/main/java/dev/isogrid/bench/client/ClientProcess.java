package dev.isogrid.bench.client;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.isogrid.bench.load.Entries;
import dev.isogrid.bench.run.RealTime;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs a client and nothing else. It reads commands from a connection, one per line,
 * and answers each with a line of numbers. It ends when the connection ends.
 */
final class ClientProcess {
  /** The beginning of the line that reports that the process is ready; the port follows. */
  static final String READY_TEXT = "client ready on ";

  /** The time within which the parent process must connect. */
  private static final int CONNECT_MILLIS_MAX = 60_000;

  private final RemoteMap map;
  private final Entries entries;
  private final List<Integer> ports;

  private ClientProcess(RemoteMap map, Entries entries, List<Integer> ports) {
    this.map = map;
    this.entries = entries;
    this.ports = ports;
  }

  /**
   * Runs until the connection ends.
   *
   * @param arguments a constant of {@link ClientLibrary}, the cache, the number of keys, the size
   *     of values, and the ports of the servers
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<Integer> ports = new ArrayList<>();
    for (int i = 4; i < arguments.length; i++) {
      ports.add(Integer.parseInt(arguments[i]));
    }
    RemoteMap map = ClientLibrary.valueOf(arguments[0]).open(ports, arguments[1]);
    Entries entries = new Entries(Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(CONNECT_MILLIS_MAX);
      System.out.println(READY_TEXT + server.getLocalPort());
      try (Socket socket = server.accept()) {
        new ClientProcess(map, entries, ports).serve(socket);
      }
    }
    System.exit(0); // clients leave threads behind
  }

  private void serve(Socket socket) throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    OutputStream out = socket.getOutputStream();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer = line.equals("fill") ? filled() : loaded(line.split(" ", -1));
      out.write((answer + "\n").getBytes(US_ASCII));
      out.flush();
    }
  }

  private String filled() {
    new ClientLoad(map, entries).fill();
    return "0";
  }

  /**
   * Runs a load.
   *
   * @param words a constant of {@link Work}, the number of threads, or 0, the operations that are
   *     then in flight, and milliseconds
   * @return the fields of {@link ClientFigures}
   */
  private String loaded(String[] words) throws IOException, InterruptedException {
    Work work = Work.valueOf(words[0]);
    int threads = Integer.parseInt(words[1]);
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    ThreadMXBean memory = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    ClientLoad load = new ClientLoad(map, entries);
    long processorNanos = system.getProcessCpuTime();
    long allocatedBytes = memory.getTotalThreadAllocatedBytes();
    long startNanos = RealTime.nanos();
    long endNanos = startNanos + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[3]));
    if (threads > 0) {
      load.threads(work, threads, endNanos);
    } else {
      load.outstanding(work, Integer.parseInt(words[2]), endNanos);
    }
    long nanos = RealTime.nanos() - startNanos;
    allocatedBytes = memory.getTotalThreadAllocatedBytes() - allocatedBytes;
    processorNanos = system.getProcessCpuTime() - processorNanos;
    long heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return "%d %d %d %d %d %d %d"
        .formatted(
            load.done(),
            load.failed(),
            nanos,
            processorNanos,
            allocatedBytes,
            OpenConnections.to(ports),
            heapBytes);
  }
}
