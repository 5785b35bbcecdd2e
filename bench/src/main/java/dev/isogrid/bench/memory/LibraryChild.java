package dev.isogrid.bench.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.server.Contestant;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link LibraryProcess}, as its parent process sees it. */
final class LibraryChild implements MeasuredProcess {
  /** Permissions for memory outside of the heap; nothing else differs from a plain JVM. */
  static final List<String> JVM_OPTIONS =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  private static final long READY_SECONDS_MAX = 120;

  private final Child child;
  private final Socket socket;
  private final BufferedReader in;

  private LibraryChild(Child child, int port) throws IOException {
    this.child = child;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
  }

  /**
   * Starts it.
   *
   * @param heap the most heap, as {@code -Xmx} takes it
   */
  static LibraryChild start(Checkout checkout, Row row, DataSet set, String heap)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heap);
    command.addAll(JVM_OPTIONS);
    command.addAll(List.of("-cp", classPath(checkout, row), LibraryProcess.class.getName()));
    command.addAll(List.of(row.name(), set.name()));
    Path log = checkout.logs().resolve("memory-" + row.id() + ".log");
    Child child =
        Child.start(row.id(), new ProcessBuilder(command), LibraryProcess.READY_TEXT, log);
    try {
      String line = child.awaitReady(READY_SECONDS_MAX).text();
      return new LibraryChild(
          child, Integer.parseInt(line.substring(LibraryProcess.READY_TEXT.length())));
    } catch (IOException | InterruptedException | RuntimeException failure) {
      child.close();
      throw failure;
    }
  }

  private static String classPath(Checkout checkout, Row row) throws IOException {
    return switch (row) {
      case INFINISPAN_HEAP, INFINISPAN_OFF_HEAP -> Contestant.infinispanClassPath(checkout);
      default -> System.getProperty("java.class.path");
    };
  }

  @Override
  public long pid() {
    return child.pid();
  }

  @Override
  public boolean isJvm() {
    return true;
  }

  @Override
  public void load(DataSet set) throws IOException {
    ask(LibraryProcess.LOAD);
  }

  @Override
  public OwnCount ownCount() throws IOException {
    return OwnCount.parse(ask(LibraryProcess.COUNT));
  }

  private String ask(String line) throws IOException {
    socket.getOutputStream().write((line + "\n").getBytes(US_ASCII));
    String answer = in.readLine();
    if (answer == null) {
      throw new EOFException("the process ended: asked=" + line);
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    try (child) {
      socket.close();
    }
  }
}
