package dev.isogrid.chaos.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A network namespace per node, all on one bridge in this process's own namespace, where the
 * clients run.
 */
public final class Namespaces implements Network {
  /*
   * Everything is made inside of a namespace that the launcher made for this process, and the
   * namespaces of nodes have no name: each lives as long as a process that reads its input, which
   * ends when this process does. So nothing is left on the machine, however a run ends.
   *
   * A link is cut by telling the sender a wrong hardware address of the receiver. The frames leave
   * and no host takes them, as on a failing network: the sender gets no error, and the other
   * direction continues. That needs no firewall in the kernel.
   */

  /** Set by the launcher if this process has a namespace of its own. */
  public static final String OWN = "isogrid.chaos.network";

  private static final String BRIDGE = "bridge0";
  private static final String PREFIX = "198.18.0.";
  private static final String MASK = "/24";
  private static final int FIRST_HOST = 11;

  /** A hardware address that no device has. */
  private static final String NOWHERE = "02:00:00:00:00:fe";

  private final List<Process> holders = new ArrayList<>();
  private final boolean[][] isCut;

  private Namespaces(int nodes) {
    this.isCut = new boolean[nodes][nodes];
  }

  /** Whether this process has a namespace that it may change. */
  public static boolean isPossible() {
    return "own".equals(System.getProperty(OWN));
  }

  /** Makes a network for this number of nodes. */
  public static Namespaces make(int nodes) throws IOException, InterruptedException {
    Namespaces network = new Namespaces(nodes);
    try {
      run("ip link set lo up");
      run("ip link add " + BRIDGE + " type bridge");
      run("ip addr add " + network.clientHost() + MASK + " dev " + BRIDGE);
      run("ip link set " + BRIDGE + " up");
      for (int node = 0; node < nodes; node++) {
        network.add(node);
      }
      return network;
    } catch (IOException | InterruptedException | RuntimeException failure) {
      network.close();
      throw failure;
    }
  }

  private void add(int node) throws IOException, InterruptedException {
    Process holder =
        new ProcessBuilder("unshare", "--net", "sh", "-c", "echo made; exec cat")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    holders.add(holder);
    BufferedReader out = holder.inputReader(StandardCharsets.US_ASCII);
    if (out.readLine() == null) {
      throw new IOException("no network namespace can be made: node=" + node);
    }
    run("ip link add bridge-" + node + " type veth peer name " + device(node));
    run("ip link set bridge-" + node + " master " + BRIDGE + " up");
    run("ip link set " + device(node) + " netns " + holder.pid());
    runInside(node, "ip link set lo up");
    runInside(node, "ip addr add " + host(node) + MASK + " dev " + device(node));
    runInside(node, "ip link set " + device(node) + " up");
  }

  private static String device(int node) {
    return "node-" + node;
  }

  private static void run(String command) throws IOException, InterruptedException {
    Commands.run(Arrays.asList(command.split(" ", -1)));
  }

  private void runInside(int node, String command) throws IOException, InterruptedException {
    Commands.run(inside(node, Arrays.asList(command.split(" ", -1))));
  }

  @Override
  public boolean canCut() {
    return true;
  }

  @Override
  public String host(int node) {
    return PREFIX + (FIRST_HOST + node);
  }

  @Override
  public String clientHost() {
    return PREFIX + "1";
  }

  @Override
  public List<String> inside(int node, List<String> command) {
    List<String> all = new ArrayList<>();
    all.add("nsenter");
    all.add("--net=/proc/" + holders.get(node).pid() + "/ns/net");
    all.addAll(command);
    return all;
  }

  @Override
  public void cut(int from, int to) throws IOException, InterruptedException {
    isCut[from][to] = true;
    runInside(
        from,
        "ip neigh replace %s lladdr %s dev %s nud permanent"
            .formatted(host(to), NOWHERE, device(from)));
  }

  @Override
  public void heal() throws IOException, InterruptedException {
    for (int from = 0; from < isCut.length; from++) {
      for (int to = 0; to < isCut.length; to++) {
        if (isCut[from][to]) {
          runInside(from, "ip neigh del %s dev %s".formatted(host(to), device(from)));
          isCut[from][to] = false;
        }
      }
    }
  }

  @Override
  public void close() {
    holders.forEach(Process::destroyForcibly);
  }
}
