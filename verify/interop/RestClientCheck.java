import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.infinispan.client.rest.RestCacheClient;
import org.infinispan.client.rest.RestClient;
import org.infinispan.client.rest.RestContainerClient;
import org.infinispan.client.rest.RestCounterClient;
import org.infinispan.client.rest.RestEntity;
import org.infinispan.client.rest.RestEventListener;
import org.infinispan.client.rest.RestResponse;
import org.infinispan.client.rest.RestResponseInfo;
import org.infinispan.client.rest.RestServerClient;
import org.infinispan.client.rest.RestTaskClient;
import org.infinispan.client.rest.configuration.Protocol;
import org.infinispan.client.rest.configuration.RestClientConfigurationBuilder;
import org.infinispan.commons.api.CacheContainerAdmin.AdminFlag;
import org.infinispan.commons.dataconversion.MediaType;

/**
 * Infinispan's own client for REST, by HTTP/1.1 and HTTP/2: {@code java -cp 'FOLDER/*'
 * RestClientCheck.java PORT}.
 */
public final class RestClientCheck {
  private static final int TIMEOUT_SECONDS = 60;

  private static int checks;

  private RestClientCheck() {}

  public static void main(String[] arguments) throws Exception {
    for (Protocol protocol : Protocol.values()) {
      RestClientConfigurationBuilder builder = new RestClientConfigurationBuilder();
      builder.addServer().host("127.0.0.1").port(Integer.parseInt(arguments[0]));
      builder.protocol(protocol).pingOnCreate(true);
      builder.socketTimeout(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
      // This one is not closed: if a stream of events is closed while the client handles an event,
      // as can happen here, closing the client sometimes waits for ever. Its threads are daemons.
      RestClient listening = RestClient.forConfiguration(builder.build());
      try (RestClient client = RestClient.forConfiguration(builder.build())) {
        caches(client);
        entries(client.cache("made"));
        events(listening, client.cache("made"));
        types(client);
        status(200, client.cache("made").delete());
        counters(client);
        container(client);
        server(client.server());
      } catch (Exception | AssertionError failure) {
        throw new AssertionError("protocol=" + protocol, failure);
      }
    }
    System.out.println("all good: checks=" + checks);
  }

  private static void equal(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
    checks++;
  }

  /** Checks the status of an answer; returns its body. */
  private static String status(int expected, CompletionStage<RestResponse> answer)
      throws Exception {
    RestResponse response = answer.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    String body = response.body();
    if (response.status() != expected) {
      throw new AssertionError("expected " + expected + ", got " + response.status() + ": " + body);
    }
    checks++;
    return body == null ? "" : body;
  }

  /** The body of an answer that comes as a stream. */
  private static String streamed(CompletionStage<RestResponse> answer) throws Exception {
    RestResponse response = answer.toCompletableFuture().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    equal(200, response.status());
    return new String(response.bodyAsStream().readAllBytes(), "UTF-8");
  }

  private static void contains(String part, String text) {
    if (!text.contains(part)) {
      throw new AssertionError("no " + part + " in " + text);
    }
    checks++;
  }

  private static RestEntity json(String text) {
    return RestEntity.create(MediaType.APPLICATION_JSON, text);
  }

  private static RestEntity text(String text) {
    return RestEntity.create(MediaType.TEXT_PLAIN, text);
  }

  private static void caches(RestClient client) throws Exception {
    RestCacheClient made = client.cache("made");
    status(404, made.exists());
    status(404, made.details());
    status(200, made.createWithTemplate("org.infinispan.DIST_SYNC", AdminFlag.VOLATILE));
    status(400, made.createWithTemplate("org.infinispan.DIST_SYNC"));
    status(400, client.cache("other").createWithTemplate("absent"));
    status(400, client.cache("other").createWithConfiguration(json("{")));
    status(204, made.exists());
    contains("\"made\"", status(200, client.caches()));
    contains("\"made\"", status(200, client.detailedCacheList()));
    contains("distributed-cache", status(200, made.configuration()));
    contains("<distributed-cache", status(200, made.configuration("application/xml")));
    contains("distributedCache", status(200, made.configuration("application/yaml")));
    status(406, made.configuration("image/png"));
    contains("RUNNING", status(200, made.details()));
    contains("stores", status(200, made.stats()));
    equal("HEALTHY", status(200, made.health()));
    contains("expiration.lifespan", status(200, made.configurationAttributes(true)));
    status(204, made.updateConfigurationAttribute("expiration.lifespan", "1000000"));
    status(400, made.updateConfigurationAttribute("clustering.owners", "5"));
    status(204, made.disableRebalancing());
    status(204, made.enableRebalancing());
    contains("AVAILABLE", status(200, made.getAvailability()));
    status(400, made.query("from x"));
  }

  private static void entries(RestCacheClient cache) throws Exception {
    status(404, cache.get("k"));
    status(204, cache.post("k", "1"));
    status(409, cache.post("k", "2"));
    status(204, cache.put("k", "3"));
    equal("3", status(200, cache.get("k")));
    equal("3", status(200, cache.get("k", "text/plain")));
    status(406, cache.get("k", "image/png"));
    status(200, cache.head("k"));
    status(404, cache.head("absent"));
    contains("\"primary\":true", status(200, cache.distribution("k")));
    status(204, cache.put("mortal", text("v"), 100, 50));
    RestResponse mortal = cache.get("mortal").toCompletableFuture().get();
    equal("100", mortal.header("timeToLiveSeconds"));
    equal("50", mortal.header("maxIdleTimeSeconds"));
    status(204, cache.put("flags", text("v"), "SKIP_CACHE_LOAD", "IGNORE_RETURN_VALUES"));
    status(400, cache.put("flags", text("v"), "ABSENT"));
    String odd = "a b+c/d%e?f&ä€";
    status(204, cache.put(odd, text("")));
    equal("", status(200, cache.get(odd)));
    equal("4", status(200, cache.size()));
    equal(Set.of("k", "mortal", "flags", odd), strings(streamed(cache.keys())));
    equal(1, strings(streamed(cache.keys(1))).size());
    contains("\"value\":\"3\"", streamed(cache.entries()));
    contains("\"timeToLiveSeconds\":100", streamed(cache.entries(-1, true)));
    status(204, cache.remove("k"));
    status(404, cache.remove("k"));
    status(204, cache.statsReset());
    status(204, cache.clear());
    equal("0", status(200, cache.size()));
  }

  /** The strings in a JSON array without escapes. */
  private static Set<String> strings(String array) {
    Set<String> found = new HashSet<>();
    Matcher matcher = Pattern.compile("\"([^\"]*)\"").matcher(array);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static void events(RestClient client, RestCacheClient made) throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    CountDownLatch opened = new CountDownLatch(1);
    RestEventListener listener =
        new RestEventListener() {
          @Override
          public void onOpen(RestResponseInfo response) {
            opened.countDown();
          }

          @Override
          public void onMessage(String id, String type, String data) {
            heard.add(type + " " + data.trim());
          }
        };
    Map<String, String> headers = Map.of("Accept", "text/plain");
    String path = "/rest/v2/caches/made?action=listen";
    try (var _ = client.raw().listen(path, headers, listener)) {
      equal(true, opened.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      status(204, made.put("e", "1"));
      status(204, made.put("e", "2"));
      status(204, made.remove("e"));
      for (String kind : Arrays.asList("created", "modified", "removed")) {
        String event = heard.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        equal("cache-entry-" + kind + " e", event);
      }
    }
  }

  private static void types(RestClient client) throws Exception {
    String schema = "package shop; message Order { optional string customer = 1; }";
    status(201, client.schemas().post("tour.proto", schema));
    status(409, client.schemas().post("tour.proto", schema));
    contains("tour.proto", status(200, client.schemas().put("tour.proto", schema)));
    contains("shop.Order", status(200, client.schemas().types()));
    contains("message Order", status(200, client.schemas().get("tour.proto")));
    RestCacheClient orders = client.cache("orders");
    RestEntity document =
        RestEntity.create(
            MediaType.APPLICATION_XML,
            "<distributed-cache><encoding media-type=\"application/x-protostream\"/>"
                + "</distributed-cache>");
    status(200, orders.createWithConfiguration(document, AdminFlag.VOLATILE));
    status(204, orders.put("o", json("{\"_type\":\"shop.Order\",\"customer\":\"Ada\"}")));
    contains("\"Ada\"", status(200, orders.get("o", "application/json")));
    status(400, orders.put("o", json("{\"_type\":\"shop.None\"}")));
    status(200, orders.delete());
    status(204, client.schemas().delete("tour.proto"));
    status(404, client.schemas().delete("tour.proto"));
  }

  private static void counters(RestClient client) throws Exception {
    RestCounterClient counter = client.counter("tour");
    RestEntity document = json("{\"strong-counter\":{\"initial-value\":5,\"upper-bound\":10}}");
    status(404, counter.get());
    status(200, counter.create(document));
    status(304, counter.create(document));
    contains("strong-counter", status(200, counter.configuration()));
    equal("6", status(200, counter.increment()));
    equal("5", status(200, counter.decrement()));
    equal("8", status(200, counter.add(3)));
    equal("false", status(200, counter.compareAndSet(1, 2)));
    equal("true", status(200, counter.compareAndSet(8, 2)));
    equal("2", status(200, counter.compareAndSwap(2, 3)));
    equal("3", status(200, counter.getAndSet(4)));
    equal("4", status(200, counter.get()));
    status(204, counter.reset());
    contains("\"tour\"", status(200, client.counters()));
    status(204, counter.delete());
    status(404, counter.delete());
  }

  private static void container(RestClient client) throws Exception {
    RestContainerClient container = client.container();
    contains("cluster_members", status(200, container.info()));
    contains("cache-container", status(200, container.globalConfiguration("application/json")));
    contains("\"default\"", status(200, container.cacheConfigurations()));
    contains("[", status(200, container.templates("application/json")));
    contains("statistics_enabled", status(200, container.stats()));
    contains("HEALTHY", status(200, container.health()));
    status(200, container.health(true));
    equal("HEALTHY", status(200, container.healthStatus()));
    status(204, container.disableRebalancing());
    status(204, container.enableRebalancing());
    contains("wordcount", status(200, client.tasks().list(RestTaskClient.ResultType.ALL)));
    status(404, client.tasks().exec("absent", "default", Map.of("a", "b")));
    contains("admin", status(200, client.security().listRoles()));
    contains("isogrid_", status(200, client.metrics().metrics()));
    contains("isogrid_", status(200, client.metrics().metrics(true)));
  }

  private static void server(RestServerClient server) throws Exception {
    contains("version", status(200, server.info()));
    contains("cache-container", status(200, server.configuration()));
    contains("RUNNABLE", status(200, server.threads()));
    contains("heap", status(200, server.memory()));
    status(204, server.ignoreCache("default"));
    contains("default", status(200, server.listIgnoredCaches()));
    status(204, server.unIgnoreCache("default"));
    contains("REST", status(200, server.listConnections(true)));
    contains("level", status(200, server.logging().listLoggers()));
    contains("name", status(200, server.logging().listAppenders()));
    status(204, server.logging().setLogger("org.tour", "DEBUG"));
    status(204, server.logging().setLogger(null, "INFO"));
    status(400, server.logging().setLogger("org.tour", "ABSENT"));
    status(204, server.logging().removeLogger("org.tour"));
  }
}
