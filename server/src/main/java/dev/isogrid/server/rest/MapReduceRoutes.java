package dev.isogrid.server.rest;

import dev.isogrid.api.MapReduceNodeStats;
import dev.isogrid.api.MapReduceReport;
import dev.isogrid.api.MapReduceStats;
import dev.isogrid.server.net.ServerContext;
import java.util.List;

/**
 * Requests about map/reduces that this server started, an extension of this server's REST: {@code
 * /rest/v2/mapreduce} and {@code /rest/v3/mapreduce}. Thread-safe.
 */
final class MapReduceRoutes {
  private final ServerContext context;

  MapReduceRoutes(ServerContext context) {
    this.context = context;
  }

  List<Route> routes() {
    return List.of(
        Route.of(Verb.GET, "rest/v2/mapreduce", null, _ -> list()),
        Route.of(Verb.GET, "rest/v3/mapreduce", null, _ -> list()));
  }

  private Answer list() {
    Json json = new Json().beginArray();
    for (MapReduceReport report : context.node().mapReduceReports()) {
      json.beginObject().name("id").value(report.id()).name("cache").value(report.cache());
      json.name("state").value(report.state().name());
      json.name("started_millis").value(report.startedMillis());
      String failure = report.failure();
      json.name("failure");
      if (failure == null) {
        json.raw("null");
      } else {
        json.value(failure);
      }
      addStats(report.stats(), json);
      json.endObject();
    }
    return Answer.json(json.endArray());
  }

  private static void addStats(MapReduceStats stats, Json json) {
    json.name("segments_done").value(stats.segmentsDone());
    json.name("segments_total").value(stats.segmentsTotal());
    json.name("segments_repeated").value(stats.segmentsRepeated());
    json.name("partitions_lost").value(stats.partitionsLost());
    json.name("map_millis").value(stats.mapMillis());
    json.name("reduce_millis").value(stats.reduceMillis());
    json.name("skew").raw(Double.toString(stats.skew()));
    json.name("map_skew").raw(Double.toString(stats.mapSkew()));
    json.name("nodes").beginArray();
    for (MapReduceNodeStats node : stats.nodes()) {
      addNode(node, json);
    }
    json.endArray();
    json.name("losses").beginArray();
    stats.losses().forEach(json::value);
    json.endArray();
  }

  private static void addNode(MapReduceNodeStats node, Json json) {
    json.beginObject().name("node").value(node.node());
    json.name("entries").value(node.entries());
    json.name("input_bytes").value(node.inputBytes());
    json.name("pairs_emitted").value(node.pairsEmitted());
    json.name("pairs_sent").value(node.pairsSent());
    json.name("bytes_sent").value(node.bytesSent());
    json.name("bytes_spilled").value(node.bytesSpilled());
    json.name("distinct_keys").value(node.distinctKeys());
    json.name("map_nanos").value(node.mapNanos());
    json.name("send_wait_nanos").value(node.sendWaitNanos());
    json.name("merge_nanos").value(node.mergeNanos());
    json.name("workers").value(node.workers());
    json.name("collector_keys_max").value(node.collectorKeysMax());
    json.name("tuning").value(node.tuning());
    json.name("worker_nanos").beginArray();
    node.workerNanos().forEach(json::value);
    json.endArray();
    json.name("partitions").value(node.partitions());
    json.name("bytes_received").value(node.bytesReceived());
    json.name("partition_bytes_max").value(node.partitionBytesMax()).endObject();
  }
}
