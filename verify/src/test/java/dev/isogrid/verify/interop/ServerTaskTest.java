package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.ServerTask;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.configuration.ClientIntelligence;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task from a jar in the task folders of two servers, run by the official client and by REST. Its
 * map/reduce transfers its functions from one server to the other.
 */
@Tag("interop")
@Tag("deep")
class ServerTaskTest {
  private static final String SOURCE =
      """
      package deployed;

      import dev.isogrid.api.Cache;
      import dev.isogrid.api.LongCombiner;
      import dev.isogrid.api.ServerTask;
      import java.util.Map;

      public final class Lengths implements ServerTask<Object> {
        public record Length(int characters) implements java.io.Serializable {}

        @Override
        public String name() {
          return "lengths";
        }

        @Override
        public Object run(Context context) {
          if (context.parameters().containsKey("fail")) {
            throw new IllegalStateException("asked to fail");
          }
          if (context.cache() == null) {
            return "hello " + context.parameter("name");
          }
          Cache<String, String> cache = (Cache<String, String>) context.cache();
          Map<Length, Long> counts = context.grid().mapReduce(cache)
              .<Length, Long>mappedWith((k, v, out) -> out.emit(new Length(v.length()), 1L))
              .combinedWith(LongCombiner.SUM)
              .execute();
          return counts.get(new Length(Integer.parseInt(context.parameter("of"))));
        }
      }
      """;

  private static final String ON_ALL =
      """
      package deployed;

      import dev.isogrid.api.ServerTask;

      public final class Names implements ServerTask<String> {
        @Override
        public String name() {
          return "names";
        }

        @Override
        public Where where() {
          return Where.ALL_NODES;
        }

        @Override
        public String run(Context context) {
          return context.grid().nodeName();
        }
      }
      """;

  @TempDir private Path folder;
  private final List<ServerProcess> servers = new ArrayList<>();
  private RemoteCacheManager manager;

  @BeforeEach
  void start() throws IOException {
    Path tasks =
        TaskJar.deploy(
            folder,
            Map.of("Lengths", SOURCE, "Names", ON_ALL),
            Map.of(ServerTask.class, List.of("Lengths", "Names")));
    List<Integer> ports = FreePorts.several(2);
    String first = Integer.toString(ports.get(0));
    startServer("a", tasks, "--cluster-port", first);
    startServer(
        "b",
        tasks,
        "--cluster-port",
        Integer.toString(ports.get(1)),
        "--join",
        "127.0.0.1:" + first);
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(servers.getFirst().port());
    builder.clientIntelligence(ClientIntelligence.BASIC);
    manager = new RemoteCacheManager(builder.build());
  }

  private void startServer(String name, Path tasks, String... options) {
    List<String> all = new ArrayList<>(List.of("--cluster", "tasks", "--node-name", name));
    all.addAll(List.of("--tasks", tasks.toString()));
    all.addAll(List.of(options));
    servers.add(ServerProcess.start(all.toArray(String[]::new)));
  }

  @AfterEach
  void stop() {
    manager.close();
    servers.forEach(ServerProcess::close);
  }

  private HttpResponse<String> rest(String method, String path)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d%s".formatted(servers.getFirst().port(), path));
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void deployedTasks_runForTheOfficialClientAndForRest() throws Exception {
    RemoteCache<String, String> cache = manager.getCache("default");
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, "x".repeat(i % 4) + " y");
    }
    Long lengths = cache.execute("lengths", Map.of("of", "5"));
    assertEquals(25, lengths);
    HotRodClientException unknown =
        assertThrows(HotRodClientException.class, () -> cache.execute("nothing", Map.of()));
    assertTrue(unknown.toString().contains("Unknown task 'nothing'"), unknown::toString);
    HotRodClientException failed =
        assertThrows(
            HotRodClientException.class, () -> cache.execute("lengths", Map.of("fail", true)));
    assertTrue(failed.toString().contains("asked to fail"), failed::toString);
    String words = cache.execute("wordcount", Map.of("top", 1));
    assertEquals("{\"y\":100}", words);
    String names = cache.execute("names", Map.of());
    assertTrue(names.contains("\"a\"") && names.contains("\"b\""), names);

    assertEquals(
        "\"hello rest\"",
        rest("POST", "/rest/v2/tasks/lengths?action=exec&param.name=rest").body());
    assertEquals(
        "25", rest("POST", "/rest/v2/tasks/lengths?action=exec&cache=default&param.of=2").body());
    assertEquals(404, rest("POST", "/rest/v2/tasks/nothing?action=exec").statusCode());
    assertEquals(404, rest("POST", "/rest/v2/tasks/lengths?action=exec&cache=no").statusCode());
    String listed = rest("GET", "/rest/v2/tasks").body();
    assertTrue(listed.contains("\"name\":\"names\""), listed);
    assertTrue(listed.contains("\"execution_mode\":\"ALL_NODES\""), listed);
    String reports = rest("GET", "/rest/v2/mapreduce").body();
    assertTrue(reports.contains("\"state\":\"DONE\"") && reports.contains("\"entries\":"), reports);
    assertNull(cache.get("nothing"));
  }
}
