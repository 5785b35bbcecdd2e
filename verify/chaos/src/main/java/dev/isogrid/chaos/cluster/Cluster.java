package dev.isogrid.chaos.cluster;

import dev.isogrid.chaos.time.RealTime;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The nodes of a run and the actions on them. For one thread, except for {@link #places}. */
public final class Cluster implements AutoCloseable {
  private static final int CLIENT_PORT = 11222;
  private static final int CLUSTER_PORT = 7800;
  private static final int HEALTH_PORT = 11300;
  private static final long POLL_MILLIS = 20;

  /** Above the ports that tests hand out. */
  private static final int FREE_PORT_MIN = 22_000;

  private static final int FREE_PORT_MAX = 32_000;
  private static final int NEIGHBOUR = 100;
  private static final int FREE_PORT_ATTEMPTS = 100;

  private final Network network;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();
  private final int seeds;
  private final RealTime time;
  private final Health health = new Health();
  private int guests;

  private Cluster(Network network, int seeds, RealTime time) {
    this.network = network;
    this.seeds = seeds;
    this.time = time;
  }

  /**
   * The size of a cluster.
   *
   * @param first the number of nodes at the start
   * @param most the most nodes, with those that join
   */
  public record Size(int first, int most) {}

  /** Makes a cluster without starting it. */
  public static Cluster of(Product product, Network network, Size size, Path logs, RealTime time)
      throws IOException {
    Cluster cluster = new Cluster(network, size.first, time);
    for (int i = 0; i < size.most; i++) {
      boolean isAlone = network.canCut();
      int clientPort = isAlone ? CLIENT_PORT : freePort();
      Place place =
          new Place(
              i,
              "n" + i,
              network.host(i),
              clientPort,
              isAlone ? CLUSTER_PORT : freePort(),
              !product.hasOwnHealthPort() ? clientPort : isAlone ? HEALTH_PORT : freePort());
      cluster.places.add(place);
      Path log = logs.resolve(place.name() + ".log");
      cluster.nodes.add(new Node(product, place, network, log, time));
    }
    return cluster;
  }

  /**
   * A port that is free now and stays free while its node is down. The operating system gives
   * connections no port below {@value #FREE_PORT_MAX}, which would keep a node from coming back.
   * The port lies in an even hundred, since a node also listens {@value #NEIGHBOUR} above its own
   * port.
   */
  private static int freePort() throws IOException {
    IOException last = new IOException("no port tried");
    for (int attempt = 0; attempt < FREE_PORT_ATTEMPTS; attempt++) {
      int any = ThreadLocalRandom.current().nextInt(FREE_PORT_MIN, FREE_PORT_MAX - NEIGHBOUR);
      int port = any / NEIGHBOUR % 2 == 0 ? any : any + NEIGHBOUR;
      try (ServerSocket socket = new ServerSocket(port)) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        last = taken;
      }
    }
    throw last;
  }

  /** All possible nodes, running or not. */
  public List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** The places of the first nodes. Thread-safe. */
  public List<Place> places() {
    return List.copyOf(places.subList(0, seeds));
  }

  /** The address of this process in the network of the nodes. Thread-safe. */
  public String clientHost() {
    return network.clientHost();
  }

  /** The node with an index. */
  public Node node(int index) {
    return nodes.get(index);
  }

  /** Starts the first nodes and waits until they are one cluster. */
  public void start(long completeMillisMax) throws IOException, InterruptedException {
    // A majority of the seeds founds a cluster, so no node waits for the previous one.
    for (Node node : nodes.subList(0, seeds)) {
      node.start(places());
    }
    for (Node node : nodes.subList(0, seeds)) {
      node.awaitReady();
    }
    awaitComplete(completeMillisMax);
  }

  /** Sets the number of further nodes, which no fault affects. */
  public void guests(int count) {
    guests = count;
  }

  /** Starts a node; {@link #awaitReady} waits until clients can connect to it. */
  public void start(int node) throws IOException {
    nodes.get(node).start(places());
  }

  /** Waits until clients can connect to a node. */
  public void awaitReady(int node) throws IOException, InterruptedException {
    nodes.get(node).awaitReady();
  }

  /** Kills a node. */
  public void kill(int node) throws IOException, InterruptedException {
    nodes.get(node).kill();
  }

  /** Stops a node in an orderly way. */
  public void stop(int node) throws IOException, InterruptedException {
    nodes.get(node).stop();
  }

  /** Pauses a node. */
  public void pause(int node) throws IOException, InterruptedException {
    nodes.get(node).pause();
  }

  /** Continues a paused node. */
  public void resume(int node) throws IOException, InterruptedException {
    nodes.get(node).resume();
  }

  /** Cuts the link from one node to another. */
  public void cut(int from, int to) throws IOException, InterruptedException {
    nodes.get(from).note("cut to " + places.get(to).name());
    network.cut(from, to);
  }

  /** Ends all cuts. */
  public void heal() throws IOException, InterruptedException {
    nodes.stream().filter(Node::isRunning).forEach(node -> node.note("cuts end"));
    network.heal();
  }

  /**
   * Waits until all running nodes report that they are one cluster and that no entries are being
   * copied.
   *
   * @return the time that this took, in milliseconds
   * @throws IOException if it takes too long, with the report of each node
   */
  public long awaitComplete(long millisMax) throws IOException, InterruptedException {
    long startMillis = time.millis();
    List<Node> running = nodes.stream().filter(Node::isRunning).toList();
    while (true) {
      List<Health.Answer> answers = new ArrayList<>();
      for (Node node : running) {
        answers.add(health.ask(node.place()));
      }
      if (answers.stream().allMatch(answer -> answer.isComplete(running.size() + guests))) {
        return time.millis() - startMillis;
      }
      if (time.millis() - startMillis > millisMax) {
        throw new IOException(
            "the cluster did not get complete in %d ms: nodes=%d, they say %s"
                .formatted(millisMax, running.size(), answers));
      }
      RealTime.pauseMillis(POLL_MILLIS);
    }
  }

  @Override
  public void close() {
    health.close();
    nodes.forEach(Node::discard);
    network.close();
  }
}
