package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands on the cluster as a whole. */
final class ClusterCommands {
  /** Reads that measure a cache: enough for a 99th percentile. */
  private static final long PROBES = 100;

  /** Reads before the first that counts. */
  private static final int WARM_UP = 20;

  private static final long PROBES_MAX = 100_000;

  /** A key that nobody has: its length says that it is none of an application. */
  private static final String PROBE_KEY = "isogrid-cli-latency-probe";

  private static final double MILLIS = 1e6;

  private ClusterCommands() {}

  static List<Command> all() {
    Command rebalance =
        Command.group("rebalance", "Copies of segments that move to other nodes.")
            .with(
                Command.of("enable", "Goes on with it.", call -> rebalance(call, "enable"))
                    .optional("PATH", "Path of a cache; at the root all caches."))
            .with(
                Command.of("disable", "Pauses it.", call -> rebalance(call, "disable"))
                    .optional("PATH", "Path of a cache; at the root all caches."))
            .with(
                Command.of(
                        "limit",
                        "Sets the most bytes of copies that each node sends per second.",
                        ClusterCommands::limitRebalance)
                    .operand(
                        "RATE", "A size, such as 30MB; unlimited; or configured: by its options."))
            .with(Command.of("status", "Shows how far it is.", ClusterCommands::rebalanceStatus));
    return List.of(
        Command.of("cluster", "Lists the nodes of the cluster.", ClusterCommands::members),
        Command.of(
            "health",
            "Shows the health of the cluster and its caches, and advice.",
            ClusterCommands::health),
        Command.of(
                "latency",
                "Measures reads of a cache, or of all, over this connection, the slowest first.",
                ClusterCommands::latency)
            .option("--count", "COUNT", "Reads per cache; default 100.")
            .option("--key", "KEY", "Key to read; default one that is not there.")
            .flag("--server", "Shows instead how long the server's clients waited, per operation.")
            .optional("CACHE", "Name of the cache; default all."),
        rebalance,
        Command.of(
                "availability",
                "Shows whether all entries of a cache can be reached, or gives lost ones up.",
                ClusterCommands::availability)
            .option("--mode", "MODE", "AVAILABLE: segments without entries begin anew, empty.")
            .optional("CACHE", "Name of the cache; default the selected one."),
        Command.of(
                "recover-majority",
                "Lets a cluster whose majority is gone for good go on without it.",
                ClusterCommands::recoverMajority)
            .option("--confirm", "TEXT", "The confirmation that the command showed before."),
        Command.of("top", "Shows caches and nodes, each second anew, until q is pressed.", Top::run)
            .option("--count", "COUNT", "Refreshes after which it ends; 1 prints once.")
            .option("--interval", "SECONDS", "Seconds between refreshes; default 1."));
  }

  private static void members(Call call) {
    Map<?, ?> container = call.send(RestRequest.get("container")).object();
    String oldest = JsonText.text(container.get("coordinator_address"));
    String here = JsonText.text(container.get("node_address"));
    List<List<String>> rows = new ArrayList<>();
    Map<?, ?> members = call.send(RestRequest.get("cluster", "members")).object();
    for (Object each : JsonText.array(members.get("members"))) {
      Map<?, ?> member = JsonText.object(each);
      String name = JsonText.text(member.get("node_address"));
      String addresses =
          String.join(
              " ",
              JsonText.array(member.get("physical_addresses")).stream()
                  .map(String::valueOf)
                  .toList());
      String role = name.equals(oldest) ? "oldest" : "";
      rows.add(
          List.of(
              name,
              addresses,
              JsonText.text(member.get("version")),
              (role + (name.equals(here) ? " connected" : "")).strip()));
    }
    call.printer().table(List.of("node", "addresses", "version", "role"), rows);
  }

  private static void health(Call call) {
    ClusterFigures figures;
    try (ClusterFigures.Source source = new ClusterFigures.Source(call.session())) {
      figures = source.take();
    }
    List<String> findings = Findings.of(figures);
    if (call.printer().isJson()) {
      Map<String, @Nullable Object> json = new LinkedHashMap<>();
      json.put("health", figures.health());
      json.put("nodes", figures.nodes().stream().map(NodeFigures::name).toList());
      json.put("caches", figures.cacheHealth());
      json.put("findings", findings);
      call.printer().value(json);
      return;
    }
    call.printer()
        .text(
            "%s, nodes: %s, caches: %d"
                .formatted(
                    figures.health(),
                    String.join(" ", figures.nodes().stream().map(NodeFigures::name).toList()),
                    figures.cacheHealth().size()));
    findings.forEach(finding -> call.printer().text("- " + finding));
  }

  private static void rebalance(Call call, String what) {
    TreePath path = call.path();
    RestRequest request;
    if (path.isIn(TreePath.CACHES) && path.names().size() >= 2) {
      request = RestRequest.post(TreePath.CACHES, path.names().get(1));
    } else {
      request = RestRequest.post("container");
    }
    call.send(request.query("action", what + "-rebalancing"));
  }

  private static void limitRebalance(Call call) {
    call.send(
        RestRequest.post("container")
            .query("action", "limit-rebalancing")
            .query("rate", call.operand(0)));
  }

  private static void rebalanceStatus(Call call) {
    call.printer()
        .value(call.send(RestRequest.get("cluster").query("action", "rebalancing")).json());
  }

  private static void availability(Call call) {
    String cache = call.cache(call.operandOrNull(0));
    String mode = call.text("--mode");
    if (mode == null) {
      call.printer()
          .text(
              call.send(RestRequest.get(TreePath.CACHES, cache).query("action", "get-availability"))
                  .text());
      return;
    }
    if (!call.session().asker().confirms("Give the lost entries of %s up?".formatted(cache))) {
      throw new CommandFailure("nothing was changed: cache=" + cache);
    }
    call.send(
        RestRequest.post(TreePath.CACHES, cache)
            .query("action", "set-availability")
            .query("availability", mode.toUpperCase(Locale.ROOT)));
  }

  private static void recoverMajority(Call call) {
    String action = "recover-majority";
    String confirmed = call.text("--confirm");
    if (confirmed == null) {
      Map<?, ?> lost = call.send(RestRequest.get("cluster").query("action", action)).object();
      call.printer().value(lost);
      if (Boolean.TRUE.equals(lost.get("majority"))) {
        return;
      }
      confirmed = JsonText.text(lost.get("confirm"));
      Asker asker = call.session().asker();
      boolean isAsked = asker.terminal() != null;
      if (!isAsked || !asker.confirms("Go on without %s?".formatted(lost.get("missing")))) {
        throw new CommandFailure(
            "nothing was changed; %s --confirm %s goes on".formatted(action, confirmed));
      }
    }
    call.printer()
        .value(
            call.send(
                    RestRequest.post("cluster").query("action", action).query("confirm", confirmed))
                .json());
  }

  private static void latency(Call call) {
    long count = call.number("--count", PROBES);
    if (count < 1 || count > PROBES_MAX) {
      throw new UsageFailure(
          "--count %d is not possible; give 1 to %d".formatted(count, PROBES_MAX));
    }
    String named = call.operandOrNull(0);
    RestConnection connection = call.session().connection();
    List<String> caches =
        named == null ? NavigationCommands.names(connection, TreePath.CACHES) : List.of(named);
    if (call.flag("--server")) {
      call.printer().table(ServerLatencies.COLUMNS, ServerLatencies.rows(connection, caches));
      return;
    }
    String key = call.text("--key");
    List<List<Object>> rows = new ArrayList<>();
    measure(call.session(), caches.getFirst(), PROBE_KEY, WARM_UP); // the client's own code
    Progress progress = Progress.of("caches", call.session());
    try {
      for (String cache : caches) {
        rows.add(measure(call.session(), cache, key == null ? PROBE_KEY : key, (int) count));
        progress.at(rows.size(), rows.size(), caches.size());
      }
    } finally {
      progress.end();
    }
    rows.sort((a, b) -> Double.compare((double) b.get(2), (double) a.get(2)));
    call.printer().table(List.of("cache", "reads", "median ms", "99 % ms", "most ms"), rows);
  }

  private static List<Object> measure(Session session, String cache, String key, int count) {
    RestConnection connection = session.connection();
    if (!connection.exists(RestRequest.head(TreePath.CACHES, cache))) {
      throw new CommandFailure("no such cache: name=%s; ls /caches lists them".formatted(cache));
    }
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      RestRequest read =
          RestRequest.head(TreePath.CACHES, cache, key).header("flags", "SKIP_STATISTICS");
      long start = session.nanoClock().getAsLong();
      connection.exists(read);
      nanos[i] = session.nanoClock().getAsLong() - start;
    }
    Arrays.sort(nanos);
    return List.of(cache, count, millis(nanos, 0.5), millis(nanos, 0.99), millis(nanos, 1));
  }

  private static double millis(long[] sorted, double share) {
    int index = Math.min(sorted.length - 1, (int) (sorted.length * share));
    return Math.round(sorted[index] / MILLIS * 1000) / 1000.0;
  }
}
