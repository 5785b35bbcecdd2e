package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.testkit.Await;
import dev.isogrid.testkit.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts a server with the folder that one of an earlier build left: definitions of caches, stores,
 * the memory of its cluster, counters and schemas.
 */
class RecordedDataTest {
  /** Of 0.1.0, when the protocol between nodes had version 11. */
  private static final String RECORDED = "data-0.1.0.zip";

  private static final List<String> CACHES = List.of("local", "shared", "bounded");
  private static final int KEYS = 12;

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void unpack() throws IOException {
    InputStream recorded = RecordedDataTest.class.getResourceAsStream(RECORDED);
    try (ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(recorded, RECORDED))) {
      for (ZipEntry file = zip.getNextEntry(); file != null; file = zip.getNextEntry()) {
        Path to = folder.resolve(file.getName());
        Files.createDirectories(to.getParent());
        Files.copy(zip, to);
      }
    }
  }

  private Server start() throws IOException {
    String[] arguments = {
      "--node-name",
      "first",
      "--port",
      "0",
      "--memcached-port",
      "0",
      "--cluster-port",
      String.valueOf(FreePorts.one()),
      "--data",
      folder.toString()
    };
    ServerOptions options = new CommandLineParser().parse(arguments, System.out);
    return Server.start(ServerSettings.of(Objects.requireNonNull(options), null));
  }

  private HttpResponse<String> get(Server server, String path) throws Exception {
    int port = server.address().getPort();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/rest/v2/" + path)).build();
    return http.send(request, BodyHandlers.ofString());
  }

  @Test
  void server_withTheFolderOfAnEarlierBuild_hasAllThatWasInIt() throws Exception {
    try (Server server = start()) {
      Await.until(
          "entries of all caches",
          () -> get(server, "caches/shared?action=size").body().equals(String.valueOf(KEYS)));
      for (String cache : CACHES) {
        for (int i = 1; i <= KEYS; i++) {
          HttpResponse<String> entry = get(server, "caches/" + cache + "/k" + i);
          String value = cache + "-" + (i == 4 ? "new" : String.valueOf(i));
          boolean isRemoved = i == 3;
          assertEquals(isRemoved ? 404 : 200, entry.statusCode(), cache + i);
          assertTrue(isRemoved || entry.body().equals(value), entry::body);
        }
        HttpResponse<String> timed = get(server, "caches/" + cache + "/timed");
        assertEquals(cache + "-timed", timed.body());
        assertEquals("1000000000", timed.headers().firstValue("timeToLiveSeconds").orElse(""));
      }
      assertEquals("7", get(server, "counters/kept").body());
      assertTrue(get(server, "schemas/book.proto").body().contains("message Book"));
    }
  }
}
