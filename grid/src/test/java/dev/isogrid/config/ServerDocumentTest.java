package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.StorageType;
import dev.isogrid.config.ServerDocument.Connector;
import dev.isogrid.config.ServerDocument.Container;
import dev.isogrid.config.ServerDocument.Endpoint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerDocumentTest {
  private static final String FULL_XML =
      """
      <infinispan xmlns="urn:infinispan:config:16.3">
        <cache-container name="main" statistics="true" default-cache="b">
          <transport cluster="${cluster:blue}" node-name="${node:}"/>
          <distributed-cache-configuration name="t" owners="3"/>
          <distributed-cache name="a" configuration="t" statistics="true"/>
          <local-cache name="b"/>
        </cache-container>
        <server xmlns="urn:infinispan:server:16.3">
          <interfaces>
            <interface name="public"><inet-address value="${address:10.0.0.1}"/></interface>
            <interface name="private"><loopback/></interface>
          </interfaces>
          <socket-bindings default-interface="public" port-offset="${offset:100}">
            <socket-binding name="default" port="11222"/>
            <socket-binding name="mc" port="11221"/>
            <socket-binding name="admin" port="9990" interface="private"/>
          </socket-bindings>
          <endpoints>
            <endpoint socket-binding="default" idle-timeout="60">
              <hotrod-connector name="hr"/>
              <rest-connector max-content-length="5MB"/>
              <memcached-connector socket-binding="mc" cache="b" idle-timeout="-1"/>
            </endpoint>
          </endpoints>
        </server>
      </infinispan>
      """;

  private static final String FULL_JSON =
      """
      {"infinispan":{
        "cache-container":{
          "name":"main","statistics":true,"default-cache":"b",
          "transport":{"cluster":"blue","node-name":""},
          "caches":{
            "t":{"distributed-cache-configuration":{"owners":3}},
            "a":{"distributed-cache":{"configuration":"t","statistics":true}},
            "b":{"local-cache":{}}}},
        "server":{
          "interfaces":[
            {"name":"public","inet-address":{"value":"10.0.0.1"}},
            {"name":"private","loopback":null}],
          "socket-bindings":{"default-interface":"public","port-offset":100,
            "socket-binding":[
              {"name":"default","port":11222},
              {"name":"mc","port":11221},
              {"name":"admin","port":9990,"interface":"private"}]},
          "endpoints":{"endpoint":{
            "socket-binding":"default","idle-timeout":60,
            "connectors":{
              "hr":{"hotrod-connector":{}},
              "rest":{"rest-connector":{"max-content-length":"5MB"}},
              "memcached":{"memcached-connector":{
                "socket-binding":"mc","cache":"b","idle-timeout":-1}}}}}}}}
      """;

  private static final String FULL_YAML =
      """
      infinispan:
        cacheContainer:
          name: main
          statistics: true
          defaultCache: b
          transport: {cluster: blue, nodeName: ''}
          caches:
            t: {distributedCacheConfiguration: {owners: 3}}
            a: {distributedCache: {configuration: t, statistics: true}}
            b: {localCache: ~}
        server:
          interfaces:
            interface:
              public: {inetAddress: {value: 10.0.0.1}}
              private: {loopback: ~}
          socketBindings:
            defaultInterface: public
            portOffset: 100
            socketBinding:
              default: {port: 11222}
              mc: {port: 11221}
              admin: {port: 9990, interface: private}
          endpoints:
            socketBinding: default
            idleTimeout: 60
            connectors:
              - hotrodConnector: {name: hr}
              - restConnector: {maxContentLength: 5MB}
              - memcachedConnector: {socketBinding: mc, cache: b, idleTimeout: -1}
      """;

  private static ServerDocument read(String document) {
    return ServerDocument.read(document, null, ReadContext.empty());
  }

  private static Endpoint endpoint(String server) {
    return read("<infinispan><server>" + server + "</server></infinispan>").endpoint();
  }

  /** The connector with the name that JSON requires. */
  private static Connector named(String name, @Nullable Connector connector) {
    assertNotNull(connector);
    return new Connector(
        name,
        connector.port(),
        connector.cache(),
        connector.idleTimeoutSeconds(),
        connector.contentLengthMax());
  }

  private static NamedCacheConfig cache(String name, CacheConfig config) {
    return new NamedCacheConfig(name, config, List.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {FULL_XML, FULL_JSON, FULL_YAML})
  void read_container_isTheSameInAnyFormat(String document) {
    assertEquals(new Container("main", true, "b", "blue", null), read(document).container());
  }

  @ParameterizedTest
  @ValueSource(strings = {FULL_XML, FULL_JSON, FULL_YAML})
  void read_caches_areTheSameInAnyFormat(String document) {
    CacheConfig template =
        CacheConfig.builder()
            .mode(CacheMode.DIST_SYNC)
            .storage(StorageType.OFF_HEAP)
            .owners(3)
            .build();
    CacheConfig local = CacheConfig.builder().storage(StorageType.OFF_HEAP).build();
    assertEquals(Map.of("t", template), read(document).templates());
    assertEquals(
        List.of(cache("a", template.toBuilder().statistics(true).build()), cache("b", local)),
        read(document).caches());
  }

  @ParameterizedTest
  @ValueSource(strings = {FULL_XML, FULL_JSON, FULL_YAML})
  void read_endpoint_isTheSameInAnyFormat(String document) {
    Endpoint endpoint = read(document).endpoint();
    assertEquals("10.0.0.1", endpoint.bindAddress());
    assertEquals(11322, endpoint.port());
    assertEquals(new Connector("hr", null, null, 60, null), endpoint.hotrod());
    assertEquals(
        new Connector("memcached", 11321, "b", -1, null), named("memcached", endpoint.memcached()));
    assertEquals(new Connector("rest", null, null, 60, 5_000_000), named("rest", endpoint.rest()));
  }

  @ParameterizedTest
  @ValueSource(strings = {FULL_XML, FULL_JSON, FULL_YAML})
  void shortForms_ofFullDocument_giveItsParts(String document) {
    ServerDocument server = read(document);
    assertEquals("10.0.0.1", server.bindAddress());
    assertEquals(11322, server.port());
    assertEquals(11321, server.memcachedPort());
    assertEquals("b", server.memcachedCache());
    assertEquals("b", server.defaultCache());
    assertEquals(List.of(), server.warnings());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<infinispan/>",
        "{\"isogrid\":{}}",
        "infinispan:",
        "<isogrid><server/></isogrid>"
      })
  void read_emptyDocument_leavesAllToTheServer(String document) {
    ServerDocument server = read(document);
    assertEquals(Container.DEFAULT, server.container());
    assertEquals(Endpoint.DEFAULT, server.endpoint());
    assertEquals(List.of(), server.caches());
    assertNull(server.bindAddress());
    assertNull(server.port());
    assertNull(server.memcachedPort());
    assertNull(server.memcachedCache());
    assertNull(server.defaultCache());
  }

  @Test
  void read_properties_comeFromTheContext() {
    ReadContext context =
        ReadContext.empty()
            .withProperties(Map.of("address", "::1", "offset", "0", "node", "n1")::get);
    ServerDocument server = ServerDocument.read(FULL_XML, null, context);
    assertEquals("::1", server.bindAddress());
    assertEquals(11222, server.port());
    assertEquals("n1", server.container().nodeName());
  }

  @ParameterizedTest
  @CsvSource({
    "<any-address/>, 0.0.0.0",
    "<loopback/>, 127.0.0.1",
    "<inet-address value='::1'/>, ::1",
    "<inet-address value='example.org'/>, example.org",
  })
  void read_interface_givesAddress(String content, String address) {
    assertEquals(
        address,
        endpoint(
                "<interfaces><interface name='i'>"
                    + content
                    + "</interface></interfaces><socket-bindings>"
                    + "<socket-binding name='s' port='1'/></socket-bindings>")
            .bindAddress());
  }

  @Test
  void read_noEndpointsElement_usesTheOnlyBinding() {
    Endpoint endpoint =
        endpoint("<socket-bindings><socket-binding name='s' port='7'/></socket-bindings>");
    assertEquals(7, endpoint.port());
    assertNull(endpoint.bindAddress());
    assertEquals(Connector.DEFAULT, endpoint.memcached());
  }

  @Test
  void read_severalBindings_usesTheOneCalledDefault() {
    assertEquals(
        8,
        endpoint(
                "<socket-bindings><socket-binding name='s' port='7'/>"
                    + "<socket-binding name='default' port='8'/></socket-bindings><endpoints/>")
            .port());
  }

  @Test
  void read_freePort_isNotShifted() {
    assertEquals(
        0,
        endpoint(
                "<socket-bindings port-offset='5'><socket-binding name='s' port='0'/>"
                    + "</socket-bindings>")
            .port());
  }

  @Test
  void read_bindingOfEndpoints_isInheritedByTheEndpoint() {
    assertEquals(
        7,
        endpoint(
                "<socket-bindings><socket-binding name='s' port='7'/>"
                    + "<socket-binding name='t' port='8'/></socket-bindings>"
                    + "<endpoints socket-binding='s'><endpoint/></endpoints>")
            .port());
  }

  @Test
  void read_oneConnector_isTheOnlyOne() {
    Endpoint endpoint = endpoint("<endpoints><endpoint><rest-connector/></endpoint></endpoints>");
    assertEquals(Connector.DEFAULT, endpoint.rest());
    assertNull(endpoint.hotrod());
    assertNull(endpoint.memcached());
  }

  @Test
  void read_noConnector_asksForAllOfThem() {
    Endpoint endpoint = endpoint("<endpoints idle-timeout='9' max-content-length='1KB'/>");
    Connector all = new Connector(null, null, null, 9, 1000);
    assertEquals(new Endpoint(null, null, all, all, all), endpoint);
  }

  @Test
  void read_memcachedOnTheBindingOfTheEndpoint_sharesThePort() {
    ServerDocument server =
        read(
            """
            infinispan:
              server:
                socketBindings: {socketBinding: [{name: default, port: 5}]}
                endpoints: {memcachedConnector: {socketBinding: default, cache: m}}
            """);
    assertNull(server.memcachedPort());
    assertEquals("m", server.memcachedCache());
  }

  @Test
  void read_listOfEndpoints_mayHaveOne() {
    assertEquals(
        5,
        read("""
        infinispan:
          server:
            socketBindings: {socketBinding: {default: {port: 5}}}
            endpoints:
              - {socketBinding: default, admin: true}
        """)
            .port());
  }

  @Test
  void read_templatesInAnyOrder_inheritFromEachOther() {
    ServerDocument server =
        read(
            """
            <infinispan><cache-container>
              <local-cache name="c" configuration="t3"/>
              <local-cache-configuration name="t3" configuration="t2" statistics="true"/>
              <local-cache-configuration name="t2" configuration="t1" segments="16"/>
              <local-cache-configuration name="t1" configuration="org.infinispan.LOCAL">
                <encoding media-type="text/plain"/>
              </local-cache-configuration>
            </cache-container></infinispan>
            """);
    CacheConfig config = server.caches().getFirst().config();
    assertEquals(16, config.segments());
    assertEquals("text/plain", config.keyMediaType());
    assertEquals(List.of("t3", "t2", "t1"), List.copyOf(server.templates().keySet()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<infinispan><cache-container><transport initial-hosts='a:1, b:2'/></cache-container>"
            + "</infinispan>",
        "<infinispan><cache-container><transport initial-hosts='a:1 b:2'/></cache-container>"
            + "</infinispan>",
        "{\"infinispan\":{\"cache-container\":{\"transport\":{\"initial-hosts\":"
            + "[\"a:1\",\"b:2\"]}}}}",
        "infinispan: {cacheContainer: {transport: {initialHosts: ['a:1', 'b:2']}}}",
      })
  void read_hosts_areAListInEachFormat(String document) {
    assertEquals(List.of("a:1", "b:2"), read(document).transport().seeds());
  }

  @Test
  void read_harmlessParts_giveWarnings() {
    ServerDocument server =
        read(
            """
            <infinispan>
              <threads><thread-factory name="f"/></threads>
              <cache-container shutdown-hook="DEFAULT" zero-capacity-node="false">
                <transport lock-timeout="1m"/>
                <metrics gauges="true"/>
                <jmx enabled="false"/>
                <local-cache name="c" simple-cache="true"/>
              </cache-container>
              <server><endpoints io-threads="4" admin="true">
                <hotrod-connector tcp-nodelay="true"><topology-state-transfer/></hotrod-connector>
                <rest-connector compression-level="6" context-path="rest"/>
                <memcached-connector protocol="AUTO" client-encoding="application/octet-stream"/>
              </endpoints></server>
            </infinispan>
            """);
    String suffix = " has no effect";
    assertEquals(
        List.of(
            "infinispan/threads" + suffix,
            "infinispan/cache-container@shutdown-hook" + suffix,
            "infinispan/cache-container/transport@lock-timeout" + suffix,
            "infinispan/cache-container/metrics" + suffix,
            "local-cache[c]@simple-cache" + suffix,
            "infinispan/server/endpoints@io-threads" + suffix,
            "infinispan/server/endpoints/hotrod-connector@tcp-nodelay" + suffix,
            "infinispan/server/endpoints/hotrod-connector/topology-state-transfer" + suffix,
            "infinispan/server/endpoints/rest-connector@compression-level" + suffix),
        server.warnings());
  }
}
