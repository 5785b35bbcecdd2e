package dev.isogrid.config;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerDocumentRefusalTest {
  private static final String BINDINGS =
      "<interfaces><interface name='i'><loopback/></interface>"
          + "<interface name='j'><any-address/></interface></interfaces>"
          + "<socket-bindings default-interface='i'><socket-binding name='default' port='1'/>"
          + "<socket-binding name='o' port='2'/><socket-binding name='p' port='3' interface='j'/>"
          + "</socket-bindings>";

  private static void ofContainer(String content, String... parts) {
    Refusal.ofServer(
        "<infinispan><cache-container>" + content + "</cache-container></infinispan>", parts);
  }

  private static void ofServerElement(String content, String... parts) {
    Refusal.ofServer("<infinispan><server>" + content + "</server></infinispan>", parts);
  }

  private static void ofConnector(String content, String... parts) {
    ofServerElement(
        BINDINGS + "<endpoints><endpoint>" + content + "</endpoint></endpoints>", parts);
  }

  @ParameterizedTest
  @CsvSource({
    "<transport initial-cluster-size='3'/>, /transport@initial-cluster-size=3",
    "<transport raft-members='a b'/>, /transport@raft-members",
    "<security><authorization><common-name-role-mapper/></authorization></security>,"
        + " /security/authorization/common-name-role-mapper",
    "<serialization marshaller='a.B'/>, /serialization@marshaller",
    "<global-state/>, /global-state",
    "<jmx enabled='true'/>, /jmx@enabled=true",
    "<eviction-containers/>, /eviction-containers",
    "<memory-monitor/>, /memory-monitor",
    "<counters><strong-counter name='c'/></counters>, /counters/strong-counter",
    "<counters num-owners='3'/>, /counters@num-owners",
    "<clustered-locks/>, /clustered-locks",
  })
  void read_partOfContainerNotBuilt_isRefusedByName(String content, String path) {
    ofContainer(
        content,
        "server configuration not supported yet: infinispan/cache-container" + path + ", line=1");
  }

  @Test
  void read_nodeWithoutCapacity_isRefusedByName() {
    Refusal.ofServer(
        "<infinispan><cache-container zero-capacity-node='true'/></infinispan>",
        "not supported yet: infinispan/cache-container@zero-capacity-node=true");
  }

  @Test
  void read_jgroups_isRefusedByName() {
    Refusal.ofServer(
        "<infinispan><jgroups><stack name='s'/></jgroups></infinispan>",
        "not supported yet: infinispan/jgroups/stack");
  }

  @Test
  void read_partOfCacheNotBuilt_isRefusedByName() {
    ofContainer(
        "<local-cache name='c'><persistence/></local-cache>",
        "not supported yet: local-cache[c]/persistence");
  }

  @ParameterizedTest
  @CsvSource({
    "<security><credential-stores/></security>, /security/credential-stores",
    "<data-sources/>, /data-sources",
    "<endpoints admin='false'/>, /endpoints@admin=false",
    "<endpoints metrics-auth='true'/>, /endpoints@metrics-auth=true",
    "<endpoints><endpoint/><endpoint/></endpoints>, /endpoints/endpoint",
    "<endpoints/><endpoints/>, /endpoints",
  })
  void read_partOfServerNotBuilt_isRefusedByName(String content, String path) {
    ofServerElement(content, "server configuration not supported yet: infinispan/server" + path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"global", "link-local", "non-loopback", "site-local", "match-host"})
  void read_otherKindOfInterface_isRefusedByName(String kind) {
    ofServerElement(
        "<interfaces><interface name='i'><" + kind + "/></interface></interfaces>",
        "not supported yet: infinispan/server/interfaces/interface/" + kind);
  }

  @ParameterizedTest
  @CsvSource({
    "<resp-connector/>, /resp-connector",
    "<hotrod-connector external-host='h'/>, /hotrod-connector@external-host",
    "<hotrod-connector security-realm='r'/>, /hotrod-connector@security-realm",
    "<hotrod-connector><authentication><sasl qop='auth-conf'/></authentication>"
        + "</hotrod-connector>, /hotrod-connector/authentication/sasl@qop=auth-conf",
    "<rest-connector><encryption/></rest-connector>, /rest-connector/encryption",
    "<rest-connector><cors-rules/></rest-connector>, /rest-connector/cors-rules",
    "<rest-connector><ip-filter/></rest-connector>, /rest-connector/ip-filter",
    "<rest-connector context-path='r'/>, /rest-connector@context-path=r",
    "<rest-connector extended-headers='NEVER'/>, /rest-connector@extended-headers=NEVER",
    "<memcached-connector protocol='BINARY'/>, /memcached-connector@protocol=BINARY",
    "<memcached-connector client-encoding='a/b'/>, /memcached-connector@client-encoding=a/b",
    "<rest-connector/><rest-connector/>, /rest-connector",
    "<rest-connector socket-binding='o'/>, /rest-connector@socket-binding",
    "<hotrod-connector socket-binding='o'/>, /hotrod-connector@socket-binding",
    "<memcached-connector socket-binding='p'/>, /memcached-connector@socket-binding",
  })
  void read_partOfConnectorNotBuilt_isRefusedByName(String content, String path) {
    ofConnector(
        content, "not supported yet: infinispan/server/endpoints/endpoint" + path + ", line=1");
  }

  @ParameterizedTest
  @CsvSource({
    "<endpoints socket-binding='x'/>, infinispan/server/endpoints@socket-binding=x",
    "<endpoints security-realm='x'/>, infinispan/server/endpoints@security-realm=x",
    "<socket-bindings default-interface='x'/>, socket-bindings@default-interface=x",
    "<socket-bindings><socket-binding name='s' port='1' interface='x'/></socket-bindings>,"
        + " socket-binding@interface=x",
  })
  void read_referenceToNothing_isRefused(String content, String path) {
    ofServerElement(content, "refers to something not defined: ", path, "defined is nothing");
  }

  @Test
  void read_connectorOnUnknownBinding_isRefusedWithTheKnownOnes() {
    ofConnector(
        "<memcached-connector socket-binding='x'/>",
        "memcached-connector@socket-binding=x",
        "defined is default, o, p");
  }

  @Test
  void read_severalBindingsNoneDefault_isRefused() {
    ofServerElement(
        "<socket-bindings><socket-binding name='s' port='1'/><socket-binding name='t' port='2'/>"
            + "</socket-bindings>",
        "endpoints@socket-binding=default",
        "defined is s, t");
  }

  @Test
  void read_severalInterfacesNoneNamed_isRefused() {
    ofServerElement(
        "<interfaces><interface name='i'><loopback/></interface>"
            + "<interface name='j'><any-address/></interface></interfaces>"
            + "<socket-bindings><socket-binding name='s' port='1'/></socket-bindings>",
        "socket-binding@interface=",
        "defined is i, j");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<loopback/><any-address/>", "<loopback/><loopback/>"})
  void read_interfaceWithoutOneAddress_isRefused(String content) {
    ofServerElement(
        "<interfaces><interface name='i'>" + content + "</interface></interfaces>",
        "one of inet-address, loopback, any-address expected");
  }

  @Test
  void read_defaultCacheThatIsNone_isRefused() {
    Refusal.ofServer(
        "<infinispan><cache-container default-cache='x'><local-cache-configuration name='x'/>"
            + "<local-cache name='y'/></cache-container></infinispan>",
        "infinispan/cache-container@default-cache=x",
        "defined is y");
  }

  @ParameterizedTest
  @CsvSource({
    "port='65536', @port=65536, 0 to 65535",
    "port='65000', @port=65000, port-offset=1000",
    "port='-1', @port=-1, 0 to 65535",
    "port='x', @port=x, 0 to 65535",
    "'', @port=, 0 to 65535",
  })
  void read_portOutOfRange_isRefused(String port, String path, String allowed) {
    ofServerElement(
        "<socket-bindings port-offset='1000'><socket-binding name='s' "
            + port
            + "/></socket-bindings>",
        "invalid configuration value: ",
        path,
        allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "max-content-length='0', from 1 to 2147483647",
    "max-content-length='3GB', from 1 to 2147483647",
    "max-content-length='10mb', from 1 to 2147483647",
    "idle-timeout='-2', -1 to 2147483647",
    "idle-timeout='10s', -1 to 2147483647",
    "io-threads='x', a whole number",
    "tcp-nodelay='x', true or false",
    "send-buffer-size='x', a number of bytes",
  })
  void read_connectorValueOutOfRange_isRefused(String attribute, String allowed) {
    ofConnector("<rest-connector " + attribute + "/>", "rest-connector@", "allowed is", allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "<local-cache name='c'/><local-cache name='c'/>, cache or template twice: name=c",
    "<local-cache name='c'/><local-cache-configuration name='c'/>, twice: name=c",
    "<local-cache name='c'/><caches><c><local-cache/></c></caches>, twice: name=c",
    "<local-cache/>, local-cache@name=",
    "<local-cache-configuration/>, local-cache-configuration@name=",
    "<local-cache-configuration name='a*'/>, not supported yet: local-cache-configuration[a*]",
    "<local-cache name='c' configuration='d'/><local-cache name='d'/>, @configuration=d",
    "<local-cache-configuration name='a' configuration='a'/>, no circle",
    "<local-cache-configuration name='a' configuration='b'/>"
        + "<local-cache-configuration name='b' configuration='a'/>, no circle",
  })
  void read_cachesThatDoNotFit_areRefused(String content, String part) {
    ofContainer(content, part);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<local-cache name='a' aliases='x y'/><local-cache name='b' aliases='z x'/>"
            + " | local-cache[b]@aliases=z x | alias=x, cache=a",
        "<local-cache name='a' aliases='b'/><local-cache name='b'/>"
            + " | local-cache[a]@aliases=b | alias=b, cache=b",
        "<local-cache name='a'/><local-cache name='b' aliases='a'/>"
            + " | local-cache[b]@aliases=a | alias=a, cache=a",
        "<local-cache name='a' aliases='a'/> | local-cache[a]@aliases=a | alias=a, cache=a",
      })
  void read_aliasThatIsTaken_isRefused(String caches, String path, String taken) {
    ofContainer(caches, "invalid configuration value: " + path + ", line=1", taken);
  }

  @Test
  void read_realmTwice_isRefused() {
    String realm = "<security-realm name='r'/>";
    String list = "<security-realms>" + realm + "</security-realms>";
    String security = "<security>" + list + "</security>";
    for (String twice :
        List.of(
            security.replace(realm, realm + realm),
            security.replace(list, list + list),
            security + security)) {
      ofServerElement(twice, "security-realm twice: name=r");
    }
  }

  @Test
  void read_roleTwice_isRefused() {
    ofContainer(
        "<security><authorization><role name='r' permissions='NONE'/>"
            + "<roles><role name='r' permissions='ALL'/></roles></authorization></security>",
        "role twice: name=r");
  }

  @Test
  void read_stackTwice_isRefused() {
    Refusal.ofServer(
        "<infinispan><jgroups><stack-file name='s' path='a'/><stack-file name='s' path='b'/>"
            + "</jgroups></infinispan>",
        "stack-file twice: name=s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<infinispan><cachecontainer/></infinispan> | infinispan/cachecontainer",
        "<infinispan x='1'/> | infinispan@x",
        "<infinispan><cache-container x='1'/></infinispan> | infinispan/cache-container@x",
        "<infinispan><server x='1'/></infinispan> | infinispan/server@x",
        "<infinispan><server><interfaces><interfce name='i'/></interfaces></server></infinispan>"
            + " | infinispan/server/interfaces/interfce",
        "<infinispan><server><endpoints><x-connector/></endpoints></server></infinispan>"
            + " | infinispan/server/endpoints/x-connector",
        "<infinispan><server><endpoints><rest-connector"
            + " cache='c'/></endpoints></server></infinispan> |"
            + " infinispan/server/endpoints/rest-connector@cache",
        "{\"infinispan\":{},\"x\":1} | @x",
        "{\"infinispan\":{},\"x\":{}} | /x",
        "{\"infinispan\":{\"cache-container\":{\"caches\":{\"c\":{}}}}} | /caches/c",
        "{\"infinispan\":{\"server\":{\"endpoints\":{\"connectors\":{\"r\":{\"x\":{}}}}}}} | /r/x",
        "{\"infinispan\":{\"server\":{\"endpoints\":\"default\"}}} | infinispan/server@endpoints",
      })
  void read_unknownName_isRefusedWithPath(String document, String path) {
    Refusal.ofServer(document, "unknown configuration", path + ", line=1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<server/>",
        "{}",
        "x: 1",
        "{\"infinispan\":{},\"isogrid\":{}}",
        "{\"infinispan\":[{},{}]}",
        "<local-cache/>",
      })
  void read_otherRoot_isRefused(String document) {
    Refusal.ofServer(document, "one element infinispan expected at the top");
  }
}
