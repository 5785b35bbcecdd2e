package dev.isogrid.chaos.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Queries the health of the cluster from nodes over HTTP. Thread-safe. */
final class Health implements AutoCloseable {
  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
  private static final Pattern STATUS = Pattern.compile("\"health_status\" *: *\"(\\w+)\"");
  private static final Pattern NODES = Pattern.compile("\"number_of_nodes\" *: *(\\d+)");
  private static final String HEALTHY = "HEALTHY";

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(ANSWER_MAX)
          .build();

  /**
   * The answer of a node.
   *
   * @param node the node that answered
   * @param status the state of the cluster, or the reason why there is no answer
   * @param nodes the number of nodes that it knows, itself included
   */
  record Answer(String node, String status, int nodes) {
    /** Whether it knows this number of nodes and reports no problem. */
    boolean isComplete(int expected) {
      return nodes == expected && status.equals(HEALTHY);
    }
  }

  /** Queries a node. */
  Answer ask(Place place) throws InterruptedException {
    URI uri =
        URI.create(
            "http://%s:%d/rest/v2/container/health".formatted(place.host(), place.healthPort()));
    try {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(uri).timeout(ANSWER_MAX).build(),
              HttpResponse.BodyHandlers.ofString());
      Matcher status = STATUS.matcher(response.body());
      Matcher nodes = NODES.matcher(response.body());
      if (!status.find() || !nodes.find()) {
        return new Answer(place.name(), "not understood: " + response.body(), 0);
      }
      return new Answer(place.name(), status.group(1), Integer.parseInt(nodes.group(1)));
    } catch (IOException failure) {
      return new Answer(place.name(), "no answer: " + failure, 0);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
