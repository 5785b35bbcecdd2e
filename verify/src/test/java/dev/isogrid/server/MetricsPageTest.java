package dev.isogrid.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.isogrid.api.CacheLoader;
import dev.isogrid.config.DocumentFormat;
import dev.isogrid.config.ReadContext;
import dev.isogrid.config.ServerDocument;
import dev.isogrid.verify.Project;
import dev.isogrid.verify.docs.GeneratedPage;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes the page of all metrics from the answer of a server. */
class MetricsPageTest {
  private static final Pattern LINE =
      Pattern.compile("# (HELP|TYPE) (\\S+) (.*)|(\\w+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  private static final String HEAD =
      """
      # Metrics

      A test generates this page from the answer of a server. `GET /metrics` gives these figures to
      Prometheus, as text or in the format of OpenMetrics. After this page you know what each of
      them counts. Figures of a cache are there if its configuration has `statistics="true"`. These
      are there without that: `entries` and `memory`, their bounds, `segments`, and of caches with
      stores all but `loads` and `misses`. The unit is in the name. All have the label `node`.

      | metric | type | labels | meaning |
      |---|---|---|---|
      """;

  /** Caches that have all figures between them. */
  private static final String DOCUMENT =
      """
      <infinispan><cache-container>
        <local-cache name="counted" statistics="true"><memory max-count="10"/></local-cache>
        <local-cache name="sized"><memory max-size="10MB"/></local-cache>
        <local-cache name="kept"><persistence><file-store/></persistence></local-cache>
        <local-cache name="loaded"><persistence>
          <store class="%s" shared="true" read-only="true"/>
        </persistence></local-cache>
      </cache-container></infinispan>
      """
          .formatted(EmptyLoader.class.getName());

  /** A source of entries that has none. Public, since the server makes it by its name. */
  public static final class EmptyLoader implements CacheLoader<Object, Object> {
    @Override
    public @Nullable Object load(Object key) {
      return null;
    }
  }

  private static final class Metric {
    String type = "";
    String help = "";
    final TreeSet<String> labels = new TreeSet<>();
  }

  private static String scrape(Path data) throws IOException, InterruptedException {
    String[] arguments = {
      "--port", "0", "--memcached-port", "0", "--no-cluster", "--data", data.toString()
    };
    ServerOptions options =
        Objects.requireNonNull(new CommandLineParser().parse(arguments, System.out));
    ServerDocument document =
        ServerDocument.read(DOCUMENT, DocumentFormat.XML, ReadContext.process());
    try (Server server = Server.start(ServerSettings.of(options, document));
        HttpClient client = HttpClient.newHttpClient()) {
      String base = "http://127.0.0.1:" + server.address().getPort();
      HttpRequest put =
          HttpRequest.newBuilder(URI.create(base + "/rest/v2/caches/counted/k"))
              .PUT(HttpRequest.BodyPublishers.ofString("v"))
              .build();
      assertEquals(204, client.send(put, HttpResponse.BodyHandlers.ofString()).statusCode());
      HttpRequest scrape = HttpRequest.newBuilder(URI.create(base + "/metrics")).build();
      return client.send(scrape, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  private static Map<String, Metric> metrics(String text) throws IOException {
    Map<String, Metric> metrics = new TreeMap<>();
    for (String line : new StringReader(text).readAllLines()) {
      Matcher found = LINE.matcher(line);
      if (!found.matches()) {
        continue;
      }
      String name = found.group(2) == null ? found.group(4) : found.group(2);
      Metric metric = metrics.computeIfAbsent(ofHistogram(name, metrics), _ -> new Metric());
      if (found.group(2) == null) {
        String labels = found.group(5) == null ? "" : found.group(5);
        LABEL.matcher(labels).results().forEach(label -> metric.labels.add(label.group(1)));
      } else if (found.group(1).equals("TYPE")) {
        metric.type = found.group(3);
      } else {
        metric.help = found.group(3);
      }
    }
    return metrics;
  }

  /** The name of the histogram that a figure belongs to; else its own name. */
  private static String ofHistogram(String name, Map<String, Metric> known) {
    Metric whole = known.get(name.replaceFirst("_(bucket|sum|count)$", ""));
    return whole != null && whole.type.equals("histogram")
        ? name.replaceFirst("_(bucket|sum|count)$", "")
        : name;
  }

  @Test
  void page_ofTheMetrics_isAsAServerHasThem(@TempDir Path data)
      throws IOException, InterruptedException {
    StringBuilder page = new StringBuilder(HEAD);
    metrics(scrape(data))
        .forEach((name, metric) -> {
          List<String> labels = new ArrayList<>(metric.labels);
          labels.remove("node");
          page.append(
              "| `%s` | %s | %s | %s |\n"
                  .formatted(name, metric.type, String.join(", ", labels), metric.help));
        });
    GeneratedPage.assertCurrent(
        "docs/reference/metrics.md", MetricsPageTest.class, page.toString());
  }

  @Test
  void dashboardAndAlerts_useMetricsThatThereAre() throws IOException {
    String page = Files.readString(Project.root().resolve("docs/reference/metrics.md"));
    Pattern name = Pattern.compile("\\b(isogrid|jvm|process)_[a-z_]+");
    for (String file : List.of("grafana-dashboard.json", "prometheus-alerts.yml")) {
      String text = Files.readString(Project.root().resolve("dist/monitoring/" + file));
      List<String> unknown =
          name.matcher(text)
              .results()
              .map(found -> found.group().replaceFirst("(_seconds)_(bucket|count|sum)$", "$1"))
              .filter(metric -> !page.contains("`" + metric + "`"))
              .toList();
      assertEquals(List.of(), unknown, file);
    }
  }
}
