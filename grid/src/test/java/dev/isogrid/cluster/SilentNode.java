package dev.isogrid.cluster;

import dev.isogrid.base.Env;
import dev.isogrid.testkit.Children;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A node in a process of its own, which can be made to stand still. */
final class SilentNode implements AutoCloseable {
  private final Process process;

  private SilentNode(Process process) {
    this.process = process;
  }

  /** Starts one; the arguments are those of {@link #main}. */
  static SilentNode start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx200m",
                "-XX:TieredStopAtLevel=1", // starts faster
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SilentNode.class.getName()));
    command.addAll(List.of(arguments));
    return new SilentNode(
        Children.start(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)));
  }

  /** Takes part until its input ends. Arguments: own port, port of a seed, file of keys or none. */
  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    SeedAddress seed = new SeedAddress("127.0.0.1", Integer.parseInt(arguments[1]));
    TransportTls tls = null;
    if (arguments.length > 2) {
      TlsKeys keys = new TlsKeys.StoreFile(Path.of(arguments[2]), TestKeys.PASSWORD);
      tls = new TransportTls.Keys(keys, keys);
    }
    Env env = Env.system();
    Discovery seeds = new Discovery.Seeds(List.of(seed));
    try (JGroupsTransport transport =
        JGroupsTransport.open(
            new TransportConfig("stopped", "127.0.0.1", port, 0, seeds, null, tls),
            new StreamCodec(),
            env)) {
      transport.start(new Ignoring());
      while (System.in.read() >= 0) {
        // Until the test ends.
      }
    }
    env.scheduler().close();
  }

  /** Does nothing with what comes. */
  private static final class Ignoring implements TransportHandler {
    @Override
    public void onMessages(List<Received> messages) {}

    @Override
    public void onView(ViewHint view) {}
  }

  /** Sends it a signal, as STOP or CONT. */
  void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
