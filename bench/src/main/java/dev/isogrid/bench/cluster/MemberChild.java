package dev.isogrid.bench.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.ProcessFacts;
import dev.isogrid.bench.run.Checkout;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A {@link MemberProcess}, as its parent process sees it. */
final class MemberChild implements AutoCloseable {
  private static final long READY_SECONDS_MAX = 60;
  private static final long SIGNAL_SECONDS_MAX = 10;

  private final Child child;
  private final Socket socket;
  private final BufferedReader in;

  private MemberChild(Child child, int port) throws IOException {
    this.child = child;
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
  }

  /**
   * The settings of a node.
   *
   * @param library the library that it runs
   * @param kind of its caches
   * @param heap the most heap, as {@code -Xmx} takes it
   * @param ports the ports of all nodes that may join
   */
  record Plan(ClusterLibrary library, CacheKind kind, String heap, List<Integer> ports) {
    /** Copies the list. */
    Plan {
      ports = List.copyOf(ports);
    }
  }

  /** Starts the process of a node, which does not join yet. */
  static MemberChild start(Checkout checkout, Plan plan, int index)
      throws IOException, InterruptedException {
    String name = "n" + index;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms" + plan.heap, "-Xmx" + plan.heap));
    command.addAll(
        List.of(
            "-XX:+AlwaysPreTouch", // the system's clearing of new pages is nobody's work
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.net.preferIPv4Stack=true"));
    command.addAll(plan.library.jvmOptions());
    command.addAll(List.of("-cp", plan.library.classPath(checkout), MemberProcess.class.getName()));
    command.addAll(List.of(plan.library.name(), name, String.valueOf(plan.ports.get(index))));
    command.add(plan.kind.name());
    command.add(plan.ports.stream().map(String::valueOf).collect(Collectors.joining(",")));
    Path log = checkout.logs().resolve("cluster-" + plan.library.id() + "-" + name + ".log");
    Child child = Child.start(name, new ProcessBuilder(command), MemberProcess.READY_TEXT, log);
    try {
      String line = child.awaitReady(READY_SECONDS_MAX).text();
      return new MemberChild(
          child, Integer.parseInt(line.substring(MemberProcess.READY_TEXT.length())));
    } catch (IOException | InterruptedException | RuntimeException failure) {
      child.close();
      throw failure;
    }
  }

  /** Sets the time limit for answers. After it, a question fails. */
  void limit(int seconds) throws IOException {
    socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(seconds));
  }

  /** Sends a command and waits; returns the numbers of the answer. */
  long[] ask(Object... words) throws IOException {
    tell(words);
    return answer();
  }

  /** Sends a command. */
  void tell(Object... words) throws IOException {
    String line = Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" "));
    socket.getOutputStream().write((line + "\n").getBytes(US_ASCII));
  }

  /** Waits for an answer. */
  long[] answer() throws IOException {
    String answer = in.readLine();
    if (answer == null) {
      throw new EOFException("the node ended; see the logs of the cluster");
    }
    return Arrays.stream(answer.split(" ", -1)).mapToLong(Long::parseLong).toArray();
  }

  /** The processor seconds so far. */
  double processorSeconds() throws IOException {
    return facts().processorSeconds();
  }

  /** Measurements of the process. */
  ProcessFacts facts() {
    return new ProcessFacts(child.pid());
  }

  /** Sends a signal, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(child.pid())).inheritIO().start();
    if (!kill.waitFor(SIGNAL_SECONDS_MAX, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("a signal can't be sent: name=%s, pid=%d".formatted(name, child.pid()));
    }
  }

  @Override
  public void close() {
    child.kill();
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException("a connection to a node can't be closed", failure);
    }
  }
}
