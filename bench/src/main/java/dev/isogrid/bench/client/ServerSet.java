package dev.isogrid.bench.client;

import dev.isogrid.bench.process.Child;
import dev.isogrid.bench.process.Ports;
import dev.isogrid.bench.process.ProcessFacts;
import dev.isogrid.bench.run.Checkout;
import dev.isogrid.bench.server.Contestant;
import dev.isogrid.bench.server.Protocol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Servers that run until this is closed. */
final class ServerSet implements AutoCloseable {
  private static final long SIGNAL_SECONDS_MAX = 10;

  private final List<Child> children = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  private ServerSet() {}

  /** The product of a server. */
  enum Product {
    /** This product. */
    ISOGRID("isogrid"),
    /** Infinispan's endpoint. */
    INFINISPAN("infinispan");

    private final String id;

    Product(String id) {
      this.id = id;
    }

    /** The word of the command line. */
    String id() {
      return id;
    }
  }

  /** Starts servers; several form a cluster. */
  static ServerSet start(Checkout checkout, Product product, int count, String heap)
      throws IOException, InterruptedException {
    ServerSet set = new ServerSet();
    try {
      int seed = Ports.free();
      for (int i = 0; i < count; i++) {
        int clusterPort = i == 0 ? seed : Ports.free();
        Contestant contestant =
            switch (product) {
              case INFINISPAN -> infinispan(checkout, count, clusterPort, seed, heap);
              case ISOGRID -> isogrid(checkout, count, clusterPort, seed, heap);
            };
        set.children.add(contestant.start(checkout.logs().resolve("client-server-" + i + ".log")));
        set.ports.add(Objects.requireNonNull(contestant.ports().get(Protocol.HOT_ROD)));
      }
    } catch (IOException | InterruptedException | RuntimeException failure) {
      set.close();
      throw failure;
    }
    return set;
  }

  private static Contestant infinispan(
      Checkout checkout, int count, int clusterPort, int seed, String heap) throws IOException {
    List<String> options = List.of("-Xms" + heap, "-Xmx" + heap);
    return count == 1
        ? Contestant.infinispan(checkout, options)
        : Contestant.infinispanInCluster(checkout, options, clusterPort, seed);
  }

  private static Contestant isogrid(
      Checkout checkout, int count, int clusterPort, int seed, String heap) throws IOException {
    Contestant lone = Contestant.isogrid(checkout, "-Xms%s -Xmx%s".formatted(heap, heap));
    return count == 1 ? lone : lone.inCluster("bench-" + seed, clusterPort, seed);
  }

  /** The processor time of all of them so far. */
  double processorSeconds() throws IOException {
    double seconds = 0;
    for (Child child : children) {
      seconds += new ProcessFacts(child.pid()).processorSeconds();
    }
    return seconds;
  }

  /** The ports for clients. */
  List<Integer> ports() {
    return List.copyOf(ports);
  }

  /** Sends a signal, such as {@code STOP}, to one of the servers. */
  void signal(int index, String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, String.valueOf(children.get(index).pid()))
            .inheritIO()
            .start();
    if (!kill.waitFor(SIGNAL_SECONDS_MAX, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("a signal can't be sent: name=%s".formatted(name));
    }
  }

  @Override
  public void close() {
    children.forEach(Child::kill);
  }
}
