package dev.isogrid.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Commands that stop servers. They ask before entries are lost. */
final class StopCommands {
  private static final String CONFIRM = "--confirm";

  private StopCommands() {}

  static Command shutdown() {
    return Command.group("shutdown", "Stops servers.")
        .with(
            Command.of(
                    "server",
                    "Stops the named nodes, or the server that answers.",
                    StopCommands::stopServers)
                .flag(CONFIRM, "Stops them without asking, whatever is lost.")
                .operands("NODE", "Name of a node."))
        .with(
            Command.of(
                    "cluster",
                    "Stops all servers of the cluster; asks before entries are lost.",
                    StopCommands::stopCluster)
                .flag(CONFIRM, "Stops them without asking, whatever is lost.")
                .flag("--force", "Stops those that answer, even if others don't."));
  }

  private static void stopServers(Call call) {
    List<String> nodes = call.operands(0);
    if (nodes.isEmpty()) {
      confirm(call, "the server that answers", List.of(look("server", null)));
      call.send(stop("server", null));
      return;
    }
    confirm(
        call, String.join(", ", nodes), nodes.stream().map(node -> look("cluster", node)).toList());
    for (String node : nodes) {
      call.send(stop("cluster", node));
    }
  }

  private static void stopCluster(Call call) {
    confirm(call, "all servers of the cluster", List.of(look("cluster", null)));
    RestRequest request = stop("cluster", null);
    call.send(call.flag("--force") ? request.query("force", "true") : request);
  }

  private static RestRequest look(String what, @Nullable String node) {
    return RestRequest.get(what).query("action", "stop").queryIfThere("server", node);
  }

  private static RestRequest stop(String what, @Nullable String node) {
    return RestRequest.post(what).query("action", "stop").queryIfThere("server", node);
  }

  /** Asks the user, who must agree to a loss of entries even outside of a prompt. */
  private static void confirm(Call call, String whom, List<RestRequest> looks) {
    if (call.flag(CONFIRM)) {
      return;
    }
    List<String> lost = new ArrayList<>();
    looks.forEach(look -> lost.addAll(lost(call.send(look).object())));
    Asker asker = call.session().asker();
    if (lost.isEmpty()) {
      if (!asker.confirms("Stop %s? No entries are lost.".formatted(whom))) {
        throw new CommandFailure("nothing was stopped");
      }
      return;
    }
    String loss = "entries only in memory are lost: " + String.join(", ", lost);
    if (!asker.agrees("Stop %s? These %s.".formatted(whom, loss))) {
      throw new CommandFailure(
          "nothing was stopped, since %s; %s stops it all the same".formatted(loss, CONFIRM));
    }
  }

  private static List<String> lost(Map<?, ?> answer) {
    List<String> lost = new ArrayList<>();
    for (Object each : JsonText.array(answer.get("lost"))) {
      Map<?, ?> cache = JsonText.object(each);
      Object entries = cache.get("entries");
      String count =
          entries instanceof Number number && number.longValue() >= 0 ? "" + entries : "?";
      lost.add("%s (%s)".formatted(JsonText.text(cache.get("cache")), count));
    }
    return lost;
  }
}
