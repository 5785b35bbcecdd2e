package dev.isogrid.cli;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The figures of all nodes of the cluster at one moment.
 *
 * @param health of the cluster, in one word
 * @param cacheHealth of each cache
 * @param rebalancing progress, as {@code cluster?action=rebalancing} answers
 * @param nodes in the order of the members
 */
record ClusterFigures(
    String health,
    Map<String, String> cacheHealth,
    Map<?, ?> rebalancing,
    List<NodeFigures> nodes) {
  /** Nodes that are asked: all that a cluster should have. */
  private static final int NODES_MAX = 64;

  /** A node that takes longer than this is shown as silent. */
  private static final long PATIENCE_SECONDS = 3;

  /** The names of all caches that some node has. */
  List<String> cacheNames() {
    TreeSet<String> names = new TreeSet<>(cacheHealth.keySet());
    nodes.forEach(node -> names.addAll(node.caches().keySet()));
    return List.copyOf(names);
  }

  /** The sum of a figure of a cache over all nodes; NaN if no node has it. */
  double sum(String cache, String metric) {
    double sum = Double.NaN;
    for (NodeFigures node : nodes) {
      double value = node.cache(cache, metric);
      if (!Double.isNaN(value)) {
        sum = Double.isNaN(sum) ? value : sum + value;
      }
    }
    return sum;
  }

  /** How full the fullest node of a cache is, from 0 to 1; NaN if the cache has no bound. */
  double fullness(String cache) {
    double fullest = Double.NaN;
    for (NodeFigures node : nodes) {
      for (String[] pair :
          new String[][] {{"entries", "entries_max"}, {"memory_bytes", "memory_max_bytes"}}) {
        double share = node.cache(cache, pair[0]) / node.cache(cache, pair[1]);
        if (!Double.isNaN(share)) {
          fullest = Double.isNaN(fullest) ? share : Math.max(fullest, share);
        }
      }
    }
    return fullest;
  }

  /** Asks a cluster, all nodes at the same time. Keeps connections to them for the next time. */
  static final class Source implements AutoCloseable {
    private final RestConnection connection;
    private final LongSupplier nanoClock;
    private final Map<String, RestConnection> others = new LinkedHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Asks the server of a session, and those that it names. */
    Source(Session session) {
      this.connection = session.connection();
      this.nanoClock = session.nanoClock();
    }

    /** Asks all nodes. */
    ClusterFigures take() {
      Map<?, ?> health = connection.send(RestRequest.get("container", "health")).object();
      Map<String, String> cacheHealth = new LinkedHashMap<>();
      for (Object each : JsonText.array(health.get("cache_health"))) {
        Map<?, ?> cache = JsonText.object(each);
        cacheHealth.put(JsonText.text(cache.get("cache_name")), JsonText.text(cache.get("status")));
      }
      RestRequest progress = RestRequest.get("cluster").query("action", "rebalancing");
      return new ClusterFigures(
          JsonText.text(JsonText.object(health.get("cluster_health")).get("health_status")),
          cacheHealth,
          connection.send(progress).object(),
          nodes());
    }

    private record Asked(String name, Future<NodeFigures> answer) {}

    private List<NodeFigures> nodes() {
      String here =
          JsonText.text(connection.send(RestRequest.get("container")).object().get("node_address"));
      List<?> members =
          JsonText.array(
              connection.send(RestRequest.get("cluster", "members")).object().get("members"));
      List<Asked> asked = new ArrayList<>();
      for (Object each : members.subList(0, Math.min(NODES_MAX, members.size()))) {
        Map<?, ?> member = JsonText.object(each);
        String name = JsonText.text(member.get("node_address"));
        List<?> addresses = JsonText.array(member.get("physical_addresses"));
        asked.add(new Asked(name, threads.submit(() -> ask(name, here, addresses))));
      }
      List<NodeFigures> figures = new ArrayList<>();
      for (Asked each : asked) {
        figures.add(await(each));
      }
      return figures;
    }

    private NodeFigures ask(String name, String here, List<?> addresses) {
      RestConnection asked = connection;
      if (!name.equals(here)) {
        if (addresses.isEmpty()) {
          return NodeFigures.silent(name, NodeFigures.NO_CLIENTS, nanoClock.getAsLong());
        }
        asked = other(JsonText.text(addresses.getFirst()));
      }
      String text = asked.send(RestRequest.outside("/metrics")).text();
      return NodeFigures.of(name, text, nanoClock.getAsLong());
    }

    private RestConnection other(String address) {
      URI url = URI.create(connection.target().url().getScheme() + "://" + address);
      synchronized (others) {
        return others.computeIfAbsent(address, _ -> connection.to(url));
      }
    }

    private NodeFigures await(Asked asked) {
      try {
        return asked.answer().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        String reason =
            e.getCause() instanceof CommandFailure failure ? failure.text() : String.valueOf(e);
        return NodeFigures.silent(asked.name(), reason, nanoClock.getAsLong());
      } catch (TimeoutException e) {
        asked.answer().cancel(true);
        String reason = "no answer in %d s".formatted(PATIENCE_SECONDS);
        return NodeFigures.silent(asked.name(), reason, nanoClock.getAsLong());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailure("interrupted", e);
      }
    }

    @Override
    public void close() {
      threads.shutdownNow();
      threads.close();
      others.values().forEach(RestConnection::close);
    }
  }
}
