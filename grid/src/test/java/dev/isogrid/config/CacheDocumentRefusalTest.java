package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheDocumentRefusalTest {
  private static List<String> warnings(String document) {
    return CacheDocument.read(document, null, ReadContext.empty()).warnings();
  }

  private static String distributed(String content) {
    return "<distributed-cache>" + content + "</distributed-cache>";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<memory when-full='MANUAL'/> | /memory@when-full=MANUAL",
        "<memory max-count='5' when-full='manual'/> | /memory@when-full=manual",
        "<memory eviction-container='e'/> | /memory@eviction-container",
        "<transaction mode='FULL_XA'/> | /transaction@mode=FULL_XA",
        "<indexing/> | /indexing",
        "<indexing enabled='true'/> | /indexing",
        "<backups><backup site='LON'/></backups> | /backups",
        "<backup-for remote-cache='c'/> | /backup-for",
        "<groups enabled='true'/> | /groups",
        "<groups/> | /groups",
        "<state-transfer enabled='false'/> | /state-transfer@enabled=false",
      })
  void read_elementNotBuilt_isRefusedByName(String content, String path) {
    Refusal.ofCache(
        distributed(content),
        "cache configuration not supported yet: distributed-cache" + path + ", line=1",
        "; remove it");
  }

  @ParameterizedTest
  @CsvSource({
    "capacity-factor='0', @capacity-factor",
    "capacity-factor='0.5', @capacity-factor",
    "l1-lifespan='10m', @l1-lifespan",
    "consistent-hash-factory='x.Y', @consistent-hash-factory",
    "key-partitioner='x.Y', @key-partitioner",
  })
  void read_attributeNotBuilt_isRefusedByName(String attribute, String path) {
    Refusal.ofCache(
        "<distributed-cache " + attribute + "/>",
        "cache configuration not supported yet: distributed-cache" + path);
  }

  @Test
  void read_elementNotBuiltInJson_isRefusedByTheSameName() {
    Refusal.ofCache(
        "{\"orders\":{\"distributedCache\":{\"memory\":{\n\"whenFull\":\"MANUAL\"}}}}",
        "not supported yet: distributed-cache[orders]/memory@when-full=MANUAL, line=2, column=1;",
        "remove");
  }

  @ParameterizedTest
  @ValueSource(strings = {"scattered-cache", "scattered-cache-configuration"})
  void read_scatteredCache_isRefusedByName(String element) {
    Refusal.ofCache("<" + element + "/>", "not supported yet: " + element);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<memory max-count='-1' max-size='-1' when-full='NONE' storage='HEAP'/>",
        "<transaction mode='NONE'/>",
        "<indexing enabled='false'/>",
        "<security/>",
        "<security><authorization/></security>",
        "<partition-handling when-split='DENY_READ_WRITES' merge-policy='NONE'/>",
        "<groups enabled='false'/>",
        "<state-transfer enabled='true'/>",
      })
  void read_elementThatSaysWhatHoldsAnyway_isAcceptedInSilence(String content) {
    assertEquals(List.of(), warnings(distributed(content)));
  }

  @Test
  void read_attributesThatSayWhatHoldsAnyway_areAcceptedInSilence() {
    assertEquals(
        List.of(),
        warnings("<distributed-cache capacity-factor='1.0' l1-lifespan='-1' aliases=''/>"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<locking isolation='REPEATABLE_READ'/> | /locking@isolation",
        "<locking acquire-timeout='10s'/> | /locking@acquire-timeout",
        "<locking concurrency-level='32'/> | /locking@concurrency-level",
        "<locking striping='false'/> | /locking@striping",
        "<state-transfer timeout='4m'/> | /state-transfer@timeout",
        "<state-transfer chunk-size='512'/> | /state-transfer@chunk-size",
        "<state-transfer await-initial-transfer='true'/>"
            + " | /state-transfer@await-initial-transfer",
        "<tracing enabled='true'><x/></tracing> | /tracing",
        "<query default-max-results='5'/> | /query@default-max-results",
        "<expiration touch='SYNC'/> | /expiration@touch",
        "<transaction mode='NONE' auto-commit='true'/> | /transaction",
        "<indexing enabled='false'><x/></indexing> | /indexing",
      })
  void read_harmlessElement_isAcceptedWithWarning(String content, String path) {
    assertEquals(
        List.of("distributed-cache" + path + " has no effect"), warnings(distributed(content)));
  }

  @Test
  void read_harmlessAttributes_areAcceptedWithWarnings() {
    assertEquals(
        List.of(
            "distributed-cache@unreliable-return-values has no effect",
            "distributed-cache@remote-timeout has no effect",
            "distributed-cache@l1-cleanup-interval has no effect"),
        warnings(
            "<distributed-cache remote-timeout='15s' unreliable-return-values='false'"
                + " l1-cleanup-interval='1m'/>"));
  }

  @Test
  void read_manyHarmlessElements_giveSomeWarnings() {
    List<String> warnings = warnings(distributed("<tracing/>".repeat(1_000)));
    assertEquals(51, warnings.size());
    assertEquals("and 950 more", warnings.getLast());
  }

  @Test
  void read_simpleCache_isAcceptedWithWarning() {
    assertEquals(
        List.of("local-cache@simple-cache has no effect"),
        warnings("<local-cache simple-cache='true'/>"));
  }

  @Test
  void read_minInSync_countsWhereTheClusterHasCopies() {
    assertEquals(
        List.of("invalidation-cache@min-in-sync has no effect"),
        warnings("<invalidation-cache min-in-sync='2'/>"));
    assertEquals(
        List.of("local-cache@min-in-sync has no effect"),
        warnings("<local-cache min-in-sync='2'/>"));
    assertEquals(List.of(), warnings("<replicated-cache min-in-sync='3'/>"));
    assertEquals(List.of(), warnings("<distributed-cache min-in-sync='2'/>"));
  }

  @Test
  void read_ownersOfReplicatedCache_areAcceptedWithWarning() {
    assertEquals(
        List.of("replicated-cache@owners has no effect"),
        warnings("<replicated-cache owners='3'/>"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<local-cache sgments='1'/> | attribute: local-cache@sgments, line=1 | segments",
        "<local-cache mode='SYNC'/> | attribute: local-cache@mode | statistics",
        "<local-cache remote-timeout='1'/> | attribute: local-cache@remote-timeout | segments",
        "<local-cache><state-transfer/></local-cache> | element: local-cache/state-transfer |"
            + " memory",
        "<local-cache><memmory/></local-cache> | element: local-cache/memmory, line=1 | memory",
        "<local-cache><memory size='1'/></local-cache> | local-cache/memory@size | max-size",
        "<local-cache><memory><heap/></memory></local-cache> | local-cache/memory/heap | remove it",
        "<invalidation-cache><groups/></invalidation-cache> | invalidation-cache/groups | memory",
        "{\"local-cache\":{\"segments\":{}}} | element: local-cache/segments | memory",
        "{\"local-cache\":{\"segments\":null}} | element: local-cache/segments | memory",
        "{\"local-cache\":{\"memory\":\"x\"}} | attribute: local-cache@memory | segments",
        "{\"local-cache\":{\"memory\":true}} | attribute: local-cache@memory | segments",
        "{\"c\":{\"local-cache\":{\"x\":1}}} | attribute: local-cache[c]@x | segments",
        "{\"c\":{\"local-cash\":{}}} | element: c | local-cache",
        "{\"c\":{\"local-cache\":{},\"owners\":1}} | element: c | local-cache",
        "<counter/> | element: counter | local-cache",
      })
  void read_unknownName_isRefusedWithPathAndKnownNames(String document, String path, String known) {
    Refusal.ofCache(document, "unknown configuration", path, known);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "owners='0' | distributed-cache@owners=0, line=1 | 1 to 255",
        "owners='256' | distributed-cache@owners=256 | 1 to 255",
        "min-in-sync='0' | distributed-cache@min-in-sync=0, line=1 | 1 to 2",
        "min-in-sync='3' | distributed-cache@min-in-sync=3, line=1 | 1 to 2",
        "owners='3' min-in-sync='4' | distributed-cache@min-in-sync=4, line=1 | 1 to 3",
        "owners='x' | distributed-cache@owners=x | 1 to 255",
        "owners='1.0' | distributed-cache@owners=1.0 | 1 to 255",
        "owners='' | distributed-cache@owners= | 1 to 255",
        "owners='99999999999999999999' | distributed-cache@owners=9999999999 | 1 to 255",
        "segments='0' | distributed-cache@segments=0 | 1 to 65536",
        "segments='65537' | distributed-cache@segments=65537 | 1 to 65536",
        "statistics='yes' | distributed-cache@statistics=yes | true or false",
        "mode='MAYBE' | distributed-cache@mode=MAYBE | SYNC, ASYNC",
        "remote-timeout='soon' | distributed-cache@remote-timeout=soon | milliseconds",
        "unreliable-return-values='2' | @unreliable-return-values=2 | true or false",
        "capacity-factor='-1' | distributed-cache@capacity-factor=-1 | a number",
        "capacity-factor='NaN' | distributed-cache@capacity-factor=NaN | a number",
        "l1-lifespan='x' | distributed-cache@l1-lifespan=x | milliseconds",
      })
  void read_attributeOutOfRange_isRefusedWithWhatIsAllowed(
      String attribute, String path, String allowed) {
    Refusal.ofCache(
        "<distributed-cache " + attribute + "/>",
        "invalid configuration value: ",
        path,
        "allowed is ",
        allowed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<expiration lifespan='-2'/> | /expiration@lifespan=-2 | not below -1",
        "<expiration max-idle='x'/> | /expiration@max-idle=x | milliseconds",
        "<expiration lifespan='5m' max-idle='5m'/> | /expiration@max-idle=5m | below lifespan",
        "<expiration lifespan='0'/> | /expiration@lifespan=0 | 1 ms or more",
        "<expiration max-idle='0s'/> | /expiration@max-idle=0s | 1 ms or more",
        "<expiration touch='x'/> | /expiration@touch=x | SYNC, ASYNC",
        "<memory storage='HEAP_OBJECT'/> | /memory@storage=HEAP_OBJECT | OFF_HEAP, HEAP or HEAP",
        "<memory storage='DISK'/> | /memory@storage=DISK | HEAP",
        "<memory compression='GZIP'/> | /memory@compression=GZIP | NONE, DICTIONARY",
        "<memory when-full='x'/> | /memory@when-full=x | NONE, MANUAL",
        "<memory when-full='REMOVE'/> | /memory@when-full=REMOVE | set max-count or max-size",
        "<memory when-full='EXCEPTION'/> | /memory@when-full=EXCEPTION | set max-count or",
        "<memory max-count='-1' when-full='EXCEPTION'/> | /memory@when-full=EXCEPTION | NONE",
        "<memory max-count='0'/> | /memory@max-count=0 | 1 or more entries, or -1",
        "<memory max-count='-2'/> | /memory@max-count=-2 | a whole number, not below -1",
        "<memory max-count='10k'/> | /memory@max-count=10k | a whole number",
        "<memory max-count='9223372036854775808'/> | /memory@max-count=9223 | a whole number",
        "<memory max-size='65535'/> | /memory@max-size=65535 | 65536 or more bytes",
        "<memory max-size='0'/> | /memory@max-size=0 | 65536 or more bytes",
        "<memory max-size='-2'/> | /memory@max-size=-2 | 65536 or more bytes",
        "<memory max-size='1mb'/> | /memory@max-size=1mb | MB, GB, TB, KiB",
        "<memory max-size='1PB'/> | /memory@max-size=1PB | MB, GB, TB, KiB",
        "<memory max-size='1MB' max-count='5'/> | /memory@max-size=1MB | one bound: max-count=5 or"
            + " max-size=1000000",
        "<encoding media-type='json'/> | /encoding@media-type=json | type/subtype",
        "<encoding media-type=''/> | /encoding@media-type= | type/subtype",
        "<encoding key-marshaller='a b'/> | /encoding@key-marshaller=a b | full name of a class",
        "<encoding value-marshaller=''/> | /encoding@value-marshaller= | full name of a class",
        "<encoding><key media-type='a/b/c'/></encoding> | /encoding/key@media-type=a/b/c | type",
        "<encoding media-type='a/b'><key media-type='a/b'/></encoding>"
            + " | /encoding@media-type=a/b | one each",
        "<transaction mode='x'/> | /transaction@mode=x | NONE, BATCH",
        "<partition-handling when-split='x'/> | /partition-handling@when-split=x | ALLOW_READS",
        "<partition-handling merge-policy='x'/> | /partition-handling@merge-policy=x |"
            + " PREFERRED_ALWAYS",
        "<locking striping='x'/> | /locking@striping=x | true or false",
        "<locking concurrency-level='x'/> | /locking@concurrency-level=x | a whole number",
        "<indexing enabled='x'/> | /indexing@enabled=x | true or false",
      })
  void read_valueOutOfRange_isRefusedWithWhatIsAllowed(
      String content, String path, String allowed) {
    Refusal.ofCache(
        distributed(content), "invalid configuration value: distributed-cache" + path, allowed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<local-cache><memory/><memory/></local-cache>",
        "{\"local-cache\":{\"memory\":[{},{}]}}",
        "{\"local-cache\":{\"encoding\":{},\"Encoding\":{}}}",
      })
  void read_elementTwice_isRefused(String document) {
    Refusal.ofCache(document, "element more than once: local-cache/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"a\":{\"local-cache\":{}},\"b\":{\"local-cache\":{}}}",
        "{\"a\":{\"local-cache\":{}},\"b\":{}}",
      })
  void read_notOneElement_isRefused(String document) {
    Refusal.ofCache(document, "one element expected at the top: found=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"x\":1,\"local-cache\":{}}",
        "x: 1",
        "x: [1, 2]",
      })
  void read_valueAtTheTop_isRefused(String document) {
    Refusal.ofCache(document, "element expected at the top, not a value: name=x, line=1");
  }

  @Test
  void read_emptyListAtTheTop_isRefused() {
    Refusal.ofCache(
        "{\"local-cache\":[]}", "element expected at the top, not a value: name=local-cache");
  }

  @Test
  void read_cachesAroundSomethingElse_isRefused() {
    Refusal.ofCache(
        "caches: {c: {x: {localCache: {}}}}", "unknown configuration element: caches/c");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "caches: ",
        "caches: {a: {localCache: {}}, b: {localCache: {}}}",
        "<caches><local-cache name='a'/><local-cache name='b'/></caches>",
        "<infinispan><cache-container/></infinispan>",
        "<infinispan><cache-container><local-cache/><local-cache/></cache-container></infinispan>",
        "{\"infinispan\":{\"cache-container\":{\"caches\":[]}}}",
      })
  void read_notOneCache_isRefused(String document) {
    Refusal.ofCache(document, "one cache expected: found=");
  }

  @Test
  void read_serverAroundCache_isRefused() {
    Refusal.ofCache(
        "<infinispan><cache-container><local-cache/></cache-container><server/></infinispan>",
        "unknown configuration element: infinispan/server");
  }

  @Test
  void read_textWithinElement_isRefused() {
    Refusal.ofCache("<local-cache>x</local-cache>", "text not expected in local-cache");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":{\"local-cache\":{\"name\":\"b\"}}}",
        "{\" \":{\"local-cache\":{}}}",
        "{\"a\\tb\":{\"local-cache\":{}}}",
      })
  void read_badName_isRefused(String document) {
    Refusal.ofCache(document, "invalid configuration value: local-cache[", "@name=");
  }

  @Test
  void read_longName_isRefused() {
    Refusal.ofCache("<local-cache name='" + "ä".repeat(128) + "'/>", "@name=", "255 bytes");
  }

  @Test
  void read_unknownTemplate_isRefusedWithTheKnownOnes() {
    Refusal.ofCache(
        "<local-cache configuration='t'/>", "not defined: local-cache@configuration=t", ".LOCAL");
  }

  @Test
  void read_templateOfAnotherKind_isRefused() {
    Refusal.ofCache(
        "<local-cache configuration='dev.isogrid.DIST_SYNC'/>",
        "local-cache@configuration=dev.isogrid.DIST_SYNC",
        "this one is of distributed-cache");
  }
}
