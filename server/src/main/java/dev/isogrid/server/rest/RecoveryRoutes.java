package dev.isogrid.server.rest;

import dev.isogrid.api.LostMajority;
import dev.isogrid.api.Rebalancing;
import dev.isogrid.server.net.ServerContext;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.TreeMap;

/**
 * Requests about a cluster whose majority is gone for good: what it may lose, and letting it go on
 * with the servers that are left. Thread-safe.
 */
final class RecoveryRoutes {
  private static final String ACTION = "recover-majority";
  private static final String CONFIRM = "confirm";

  private final ServerContext context;

  RecoveryRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    return List.of(
        Route.of(Verb.GET, "rest/v2/cluster", ACTION, _ -> look()),
        Route.of(Verb.GET, "rest/v3/cluster/_recover-majority", null, _ -> look()),
        Route.of(Verb.POST, "rest/v2/cluster", ACTION, this::recover),
        Route.of(Verb.POST, "rest/v3/cluster/_recover-majority", null, this::recover));
  }

  private Rebalancing rebalancing() {
    return context.node().rebalancing();
  }

  private Answer look() {
    LostMajority lost = rebalancing().lostMajority();
    if (lost == null) {
      return Answer.json(new Json().beginObject().name("majority").value(true).endObject());
    }
    return Answer.json(json(lost, false));
  }

  private Answer recover(AdminRequest request) {
    String confirmation = request.parameter(CONFIRM);
    LostMajority lost = rebalancing().lostMajority();
    if (lost == null) {
      throw new RestProblem(
          HttpResponseStatus.CONFLICT,
          "nothing to recover: a majority of the cluster's voters answers");
    }
    if (confirmation == null) {
      return Answer.json(HttpResponseStatus.PRECONDITION_REQUIRED, json(lost, false));
    }
    if (!confirmation.equals(lost.confirmation())) {
      throw new RestProblem(
          HttpResponseStatus.CONFLICT,
          ("not what was confirmed: confirm=%s, now=%s, staying=%s, missing=%s; look at what may be"
                  + " lost now, and confirm that")
              .formatted(confirmation, lost.confirmation(), lost.staying(), lost.missing()));
    }
    return Answer.json(json(rebalancing().recoverMajority(confirmation), true));
  }

  private static Json json(LostMajority lost, boolean isRecovered) {
    Json json = new Json().beginObject();
    json.name("majority").value(isRecovered);
    json.name("staying").values(lost.staying());
    json.name("missing").values(lost.missing());
    json.name("lost_segments").beginObject();
    new TreeMap<>(lost.lostSegments()).forEach((cache, count) -> json.name(cache).value(count));
    json.endObject();
    json.name("may_lack_writes").value(lost.mayLackWrites());
    json.name("message").value(message(lost, isRecovered));
    json.name(CONFIRM).value(lost.confirmation());
    return json.endObject();
  }

  private static String message(LostMajority lost, boolean isRecovered) {
    String segments =
        lost.lostSegments().isEmpty()
            ? "No entries are lost with their servers."
            : "The entries of lost_segments are lost with their servers.";
    String writes =
        lost.mayLackWrites()
            ? " Writes that the missing servers acknowledged without the others are lost."
            : " The missing servers acknowledged nothing without the others.";
    String how =
        isRecovered
            ? " The cluster goes on with the servers that stay."
            : " If the missing servers are dead for good, repeat this request as POST with the"
                + " parameter confirm. If they run, they give their copies up.";
    return segments + writes + how;
  }
}
