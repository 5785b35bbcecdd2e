package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every element and attribute that configurations of Infinispan can have: each is honoured, refused
 * by its name, or accepted with a warning; none is unknown, and none is skipped silently.
 */
class ConfigurationSheetTest {
  /** The treatment of a row's document. */
  private enum Verdict {
    /** It changes the configuration. */
    HONOURED,
    /** It matches the fixed behaviour. */
    HOLDS,
    WARNED,
    REFUSED
  }

  private record Row(Verdict verdict, String content, String path) {
    static Row of(String text) {
      String[] parts = text.split("\\|", -1);
      return new Row(
          Verdict.valueOf(parts[0].strip()),
          parts[1].strip(),
          parts.length > 2 ? parts[2].strip() : "");
    }
  }

  private static void check(Row row, String document, Object without) {
    try {
      Object read = read(document);
      List<String> warnings =
          read instanceof NamedCacheConfig cache
              ? cache.warnings()
              : ((ServerDocument) read).warnings();
      switch (row.verdict()) {
        case HONOURED -> {
          assertEquals(List.of(), warnings, document);
          assertFalse(isSame(read, without), document);
        }
        case HOLDS -> {
          assertEquals(List.of(), warnings, document);
          assertTrue(isSame(read, without), document);
        }
        case WARNED -> {
          assertEquals(1, warnings.size(), () -> document + warnings);
          assertTrue(warnings.getFirst().contains(row.path()), () -> document + warnings);
        }
        case REFUSED -> throw new AssertionError("not refused: " + document);
      }
    } catch (InvalidRequestException refusal) {
      String message = String.valueOf(refusal.getMessage());
      assertEquals(Verdict.REFUSED, row.verdict(), () -> document + ": " + message);
      assertTrue(message.contains("not supported yet: "), () -> document + ": " + message);
      assertTrue(message.contains(row.path()), () -> document + ": " + message);
    }
  }

  private static Object read(String document) {
    return document.startsWith("<infinispan")
        ? ServerDocument.read(document, null, ReadContext.empty())
        : CacheDocument.read(document, null, ReadContext.empty().withFolders());
  }

  private static boolean isSame(Object read, Object without) {
    if (read instanceof NamedCacheConfig cache && without instanceof NamedCacheConfig other) {
      CacheConfig config = cache.config();
      return config.equals(other.config()) && cache.aliases().equals(other.aliases());
    }
    return read.equals(without);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HONOURED | owners='3'",
        "HONOURED | segments='8'",
        "HONOURED | statistics='true'",
        "HONOURED | mode='ASYNC'",
        "HONOURED | aliases='a b'",
        "HONOURED | configuration='org.infinispan.DIST_SYNC'",
        "HOLDS    | name='c'",
        "HOLDS    | capacity-factor='1.0'",
        "HOLDS    | l1-lifespan='-1'",
        "WARNED   | unreliable-return-values='true' | @unreliable-return-values",
        "WARNED   | remote-timeout='15s'            | @remote-timeout",
        "WARNED   | l1-cleanup-interval='1m'        | @l1-cleanup-interval",
        "REFUSED  | capacity-factor='0'             | @capacity-factor",
        "REFUSED  | l1-lifespan='10m'               | @l1-lifespan",
        "REFUSED  | consistent-hash-factory='x.Y'   | @consistent-hash-factory",
        "REFUSED  | key-partitioner='x.Y'           | @key-partitioner",
      })
  void attributeOfACache(String text) {
    Row row = Row.of(text);
    check(row, "<distributed-cache " + row.content() + "/>", read("<distributed-cache/>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HONOURED | <encoding media-type='application/json'/>",
        "HONOURED | <encoding><key media-type='text/plain'/><value media-type='a/b'/></encoding>",
        "HONOURED | <expiration lifespan='30m'/>",
        "HONOURED | <expiration max-idle='5m'/>",
        "HONOURED | <expiration interval='5m'/>",
        "WARNED   | <expiration touch='ASYNC'/> | /expiration@touch",
        "HONOURED | <memory storage='HEAP'/>",
        "HOLDS    | <memory storage='OFF_HEAP'/>",
        "HOLDS    | <memory compression='NONE'/>",
        "HONOURED | <memory compression='DICTIONARY'/>",
        "HONOURED | <memory max-count='5'/>",
        "HONOURED | <memory max-size='5MB'/>",
        "HONOURED | <memory max-count='5' when-full='EXCEPTION'/>",
        "HOLDS    | <memory when-full='NONE'/>",
        "REFUSED  | <memory when-full='MANUAL'/>          | /memory@when-full=MANUAL",
        "REFUSED  | <memory eviction-container='e'/>      | /memory@eviction-container",
        "WARNED   | <locking isolation='READ_COMMITTED'/> | /locking@isolation",
        "WARNED   | <locking acquire-timeout='10s'/>      | /locking@acquire-timeout",
        "WARNED   | <locking concurrency-level='32'/>     | /locking@concurrency-level",
        "WARNED   | <locking striping='false'/>           | /locking@striping",
        "HOLDS    | <transaction mode='NONE'/>",
        "REFUSED  | <transaction mode='BATCH'/>           | /transaction@mode=BATCH",
        "REFUSED  | <transaction mode='NON_XA'/>          | /transaction@mode=NON_XA",
        "REFUSED  | <transaction mode='NON_DURABLE_XA'/>  | /transaction@mode=NON_DURABLE_XA",
        "REFUSED  | <transaction mode='FULL_XA'/>         | /transaction@mode=FULL_XA",
        "WARNED   | <transaction locking='PESSIMISTIC'/>  | /transaction",
        "WARNED   | <transaction auto-commit='false' stop-timeout='1s'/> | /transaction",
        "WARNED   | <transaction complete-timeout='1s' reaper-interval='1s'/> | /transaction",
        "WARNED   | <transaction transaction-manager-lookup='x' notifications='false'/>"
            + " | /transaction",
        "WARNED   | <transaction recovery-cache='r'/>     | /transaction",
        "HOLDS    | <partition-handling when-split='DENY_READ_WRITES'/>",
        "HONOURED | <partition-handling when-split='ALLOW_READS'/>",
        "HONOURED | <partition-handling when-split='ALLOW_READ_WRITES'/>",
        "HOLDS    | <partition-handling merge-policy='NONE'/>",
        "HONOURED | <partition-handling merge-policy='PREFERRED_ALWAYS'/>",
        "HONOURED | <partition-handling merge-policy='PREFERRED_NON_NULL'/>",
        "HONOURED | <partition-handling merge-policy='REMOVE_ALL'/>",
        "HONOURED | <partition-handling merge-policy='x.Y'/>",
        "HOLDS    | <state-transfer enabled='true'/>",
        "REFUSED  | <state-transfer enabled='false'/>     | /state-transfer@enabled=false",
        "WARNED   | <state-transfer timeout='4m'/>        | /state-transfer@timeout",
        "WARNED   | <state-transfer chunk-size='512'/>    | /state-transfer@chunk-size",
        "WARNED   | <state-transfer await-initial-transfer='true'/> | @await-initial-transfer",
        "WARNED   | <state-transfer await-leave-transfer='true'/>   | @await-leave-transfer",
      })
  void childOfACache(String text) {
    checkChild(Row.of(text));
  }

  private static void checkChild(Row row) {
    String document = "<distributed-cache>" + row.content() + "</distributed-cache>";
    check(row, document, read("<distributed-cache/>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HOLDS    | <indexing enabled='false'/>",
        "REFUSED  | <indexing enabled='true'/>            | /indexing",
        "REFUSED  | <indexing><indexed-entities><indexed-entity>p.M</indexed-entity>"
            + "</indexed-entities></indexing>             | /indexing",
        "REFUSED  | <indexing storage='filesystem' path='p' startup-mode='purge'/> | /indexing",
        "REFUSED  | <indexing indexing-mode='manual'><index-reader refresh-interval='1'/>"
            + "<index-writer commit-interval='1'><index-merge/></index-writer>"
            + "<index-sharding shards='2'/></indexing>    | /indexing",
        "WARNED   | <query default-max-results='5'/>      | /query@default-max-results",
        "WARNED   | <query hit-count-accuracy='5'/>       | /query@hit-count-accuracy",
        "WARNED   | <tracing enabled='true' categories='container'/> | /tracing",
        "REFUSED  | <backups merge-policy='DEFAULT' max-cleanup-delay='30s'><backup"
            + " site='LON'><take-offline after-failures='1'/><state-transfer"
            + " chunk-size='1'/></backup></backups> | /backups",
        "REFUSED  | <backup-for remote-cache='c' remote-site='s'/> | /backup-for",
        "HOLDS    | <groups enabled='false'/>",
        "REFUSED  | <groups enabled='true'><grouper class='x.Y'/></groups> | /groups",
      })
  void childOfACacheThatIsNotBuilt(String text) {
    checkChild(Row.of(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HONOURED | <file-store/>",
        "HONOURED | <file-store path='p' shared='false' preload='true' purge='true'/>",
        "HONOURED | <file-store read-only='true' write-only='false' transactional='false'/>",
        "HONOURED | <file-store fsync='EACH'/>",
        "HONOURED | <file-store><data path='d' sync-writes='true'/></file-store>",
        "WARNED   | <file-store preload='false'/>          | /file-store@preload",
        "WARNED   | <file-store segmented='true'/>         | /file-store@segmented",
        "WARNED   | <file-store max-batch-size='1'/>       | /file-store@max-batch-size",
        "WARNED   | <file-store open-files-limit='1'/>     | /file-store@open-files-limit",
        "WARNED   | <file-store compaction-threshold='0.5'/> | @compaction-threshold",
        "WARNED   | <file-store relative-to='x'/>          | /file-store@relative-to",
        "WARNED   | <file-store><data max-file-size='1'/></file-store> | /data@max-file-size",
        "WARNED   | <file-store><index path='i' segments='1'/></file-store> | /file-store/index",
        "WARNED   | <file-store><write-behind modification-queue-size='1'/></file-store>"
            + " | /file-store/write-behind",
        "WARNED   | <file-store><property name='n'>v</property></file-store> | /property",
        "REFUSED  | <file-store shared='true'/>            | /file-store@shared=true",
        "REFUSED  | <file-store write-only='true'/>        | /file-store@write-only=true",
        "REFUSED  | <file-store transactional='true'/>     | /file-store@transactional=true",
        "REFUSED  | <single-file-store path='p'/>          | /single-file-store",
        "REFUSED  | <soft-index-file-store/>               | /soft-index-file-store",
        "REFUSED  | <rocksdb-store path='p'/>              | /rocksdb-store",
        "HONOURED | <jdbc-store dialect='H2' shared='true' preload='true' purge='true'/>",
        "HONOURED | <string-keyed-jdbc-store read-only='true'/>",
        "HONOURED | <string-keyed-jdbc-store><data-source jndi-url='j'/></string-keyed-jdbc-store>",
        "HONOURED | <jdbc-store><connection-pool connection-url='u' username='u' password='p'"
            + " driver='d'/></jdbc-store>",
        "HONOURED | <jdbc-store><string-keyed-table prefix='P' create-on-start='true'"
            + " drop-on-exit='false'><id-column name='i' type='BYTEA'/></string-keyed-table>"
            + "</jdbc-store>",
        "HONOURED | <jdbc-store max-batch-size='5'><write-behind modification-queue-size='5'"
            + " fail-silently='false'/></jdbc-store>",
        "HONOURED | <store class='x.Y'><property name='n'>v</property></store>",
        "WARNED   | <jdbc-store segmented='true'/>         | /jdbc-store@segmented",
        "WARNED   | <jdbc-store max-batch-size='5'/>       | /jdbc-store@max-batch-size",
        "WARNED   | <jdbc-store read-size='1'/>            | /jdbc-store@read-size",
        "WARNED   | <jdbc-store><string-keyed-table fetch-size='1'/></jdbc-store> | @fetch-size",
        "WARNED   | <jdbc-store><string-keyed-table batch-size='1'/></jdbc-store> | @batch-size",
        "WARNED   | <jdbc-store><string-keyed-table><segment-column type='INT'/>"
            + "</string-keyed-table></jdbc-store> | @type",
        "WARNED   | <jdbc-store><write-behind thread-pool-size='1'/></jdbc-store>"
            + " | @thread-pool-size",
        "REFUSED  | <jdbc-store write-only='true'/>        | /jdbc-store@write-only=true",
        "REFUSED  | <jdbc-store transactional='true'/>     | /jdbc-store@transactional=true",
        "REFUSED  | <jdbc-store key-to-string-mapper='x'/> | @key-to-string-mapper",
        "REFUSED  | <jdbc-store db-major-version='9'/>     | @db-major-version",
        "REFUSED  | <jdbc-store><connection-pool properties-file='f'/></jdbc-store>"
            + " | @properties-file",
        "REFUSED  | <jdbc-store><write-behind fail-silently='true'/></jdbc-store>"
            + " | @fail-silently=true",
        "REFUSED  | <table-jdbc-store table-name='t'/>     | /table-jdbc-store",
        "REFUSED  | <query-jdbc-store/>                    | /query-jdbc-store",
        "REFUSED  | <remote-store cache='c'/>              | /remote-store",
        "REFUSED  | <cluster-loader/>                      | /cluster-loader",
      })
  void storeOfACache(String text) {
    Row row = Row.of(text);
    String document =
        "<distributed-cache><persistence>" + row.content() + "</persistence></distributed-cache>";
    check(row, document, read("<distributed-cache/>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HONOURED | <persistence passivation='false'><file-store/></persistence>",
        "WARNED   | <persistence passivation='true'><file-store/></persistence> | @passivation",
        "WARNED   | <persistence connection-attempts='1'><file-store/></persistence>"
            + " | @connection-attempts",
        "WARNED   | <persistence connection-interval='1s'><file-store/></persistence>"
            + " | @connection-interval",
        "WARNED   | <persistence availability-interval='1s'><file-store/></persistence>"
            + " | @availability-interval",
        "REFUSED  | <persistence/>                         | /persistence",
      })
  void persistenceOfACache(String text) {
    checkChild(Row.of(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HOLDS    | <local-cache/>",
        "HONOURED | <replicated-cache/>",
        "HONOURED | <invalidation-cache/>",
        "HONOURED | <distributed-cache/>",
        "HOLDS    | <local-cache-configuration name='t'/>",
        "HONOURED | <replicated-cache-configuration name='t'/>",
        "WARNED   | <local-cache simple-cache='true'/> | @simple-cache",
        "REFUSED  | <scattered-cache/>                 | scattered-cache",
        "REFUSED  | <scattered-cache-configuration/>   | scattered-cache-configuration",
        "REFUSED  | <local-cache-configuration name='a*'/> | local-cache-configuration",
      })
  void kindOfCache(String text) {
    Row row = Row.of(text);
    check(row, row.content(), read("<local-cache/>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HONOURED | name='n'",
        "HONOURED | statistics='true'",
        "HOLDS    | zero-capacity-node='false'",
        "REFUSED  | zero-capacity-node='true'   | @zero-capacity-node",
        "WARNED   | shutdown-hook='REGISTER'    | @shutdown-hook",
        "WARNED   | listener-executor='x'       | @listener-executor",
        "WARNED   | expiration-executor='x'     | @expiration-executor",
        "WARNED   | non-blocking-executor='x'   | @non-blocking-executor",
        "WARNED   | blocking-executor='x'       | @blocking-executor",
      })
  void attributeOfAContainer(String text) {
    Row row = Row.of(text);
    String document = "<infinispan><cache-container " + row.content() + "/></infinispan>";
    check(row, document, read("<infinispan><cache-container/></infinispan>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HONOURED | <transport cluster='c'/>",
        "HONOURED | <transport node-name='n'/>",
        "WARNED   | <transport lock-timeout='1s'/>          | /transport@lock-timeout",
        "HONOURED | <transport stack='tcp'/>",
        "HONOURED | <transport machine='m'/>",
        "HONOURED | <transport rack='r'/>",
        "HONOURED | <transport site='s'/>",
        "REFUSED  | <transport initial-cluster-size='3'/>   | /transport@initial-cluster-size",
        "HONOURED | <transport initial-cluster-timeout='1m'/>",
        "REFUSED  | <transport raft-members='a b'/>         | /transport@raft-members",
        "WARNED   | <serialization version='1.0'/>          | /serialization@version",
        "WARNED   | <serialization><allow-list><class>a.B</class></allow-list></serialization> |"
            + " /serialization/allow-list",
        "REFUSED  | <serialization marshaller='x'/>         | /serialization@marshaller",
        "REFUSED  | <serialization><context-initializer class='a.B'/></serialization> |"
            + " /serialization/context-initializer",
        "REFUSED  | <serialization><advanced-externalizer class='a.B'/></serialization> |"
            + " /serialization/advanced-externalizer",
        "WARNED   | <metrics gauges='true' histograms='true'/> | /metrics",
        "WARNED   | <tracing collector-endpoint='x'/>       | /tracing",
        "HOLDS    | <jmx enabled='false'/>",
        "REFUSED  | <jmx enabled='true'/>                   | /jmx@enabled=true",
        "REFUSED  | <global-state><persistent-location path='p'/></global-state> | /global-state",
        "REFUSED  | <eviction-containers/>                  | /eviction-containers",
        "REFUSED  | <memory-monitor/>                       | /memory-monitor",
        "HOLDS    | <counters/>",
        "REFUSED  | <counters><strong-counter name='c'/></counters> | /counters/strong-counter",
        "HONOURED | <local-cache name='c'/>",
        "HONOURED | <local-cache-configuration name='c'/>",
      })
  void childOfAContainer(String text) {
    Row row = Row.of(text);
    String document =
        "<infinispan><cache-container>" + row.content() + "</cache-container></infinispan>";
    check(row, document, read("<infinispan><cache-container/></infinispan>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WARNED   | <threads><thread-factory name='t'/></threads> | /threads",
        "HOLDS    | <jgroups><stack-file name='s' path='p'/></jgroups>",
        "REFUSED  | <jgroups><stack name='s'/></jgroups>   | /jgroups/stack",
        "REFUSED  | <jgroups><remote-sites/></jgroups>     | /jgroups/remote-sites",
        "REFUSED  | <include href='x'/>                    | /include",
      })
  void childOfTheRoot(String text) {
    Row row = Row.of(text);
    String document = "<infinispan>" + row.content() + "</infinispan>";
    check(row, document, read("<infinispan/>"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HONOURED | <hotrod-connector name='h'/>",
        "HONOURED | <hotrod-connector idle-timeout='5'/>",
        "HONOURED | <hotrod-connector max-content-length='5MB'/>",
        "WARNED   | <hotrod-connector io-threads='2'/>             | @io-threads",
        "WARNED   | <hotrod-connector tcp-nodelay='true'/>         | @tcp-nodelay",
        "WARNED   | <hotrod-connector tcp-keepalive='true'/>       | @tcp-keepalive",
        "WARNED   | <hotrod-connector send-buffer-size='5'/>       | @send-buffer-size",
        "WARNED   | <hotrod-connector receive-buffer-size='5'/>    | @receive-buffer-size",
        "WARNED   | <hotrod-connector network-prefix-override='true'/> | @network-prefix-override",
        "WARNED   | <hotrod-connector listener-backpressure-high-watermark='1'/> | high-watermark",
        "WARNED   | <hotrod-connector listener-backpressure-low-watermark='1'/>  | low-watermark",
        "WARNED   | <hotrod-connector listener-max-queue-size='1'/> | @listener-max-queue-size",
        "WARNED   | <hotrod-connector><topology-state-transfer lock-timeout='1s'/>"
            + "</hotrod-connector>                                 | /topology-state-transfer",
        "REFUSED  | <hotrod-connector external-host='x'/>          | @external-host",
        "REFUSED  | <hotrod-connector external-port='1'/>          | @external-port",
        "REFUSED  | <hotrod-connector><ip-filter/></hotrod-connector> | /ip-filter",
        "REFUSED  | <hotrod-connector><encryption/></hotrod-connector> | /encryption",
        "HONOURED | <rest-connector/>",
        "REFUSED  | <rest-connector context-path='x'/>             | @context-path",
        "REFUSED  | <rest-connector extended-headers='NEVER'/>     | @extended-headers",
        "WARNED   | <rest-connector compression-level='1'/>        | @compression-level",
        "WARNED   | <rest-connector compression-threshold='1'/>    | @compression-threshold",
        "REFUSED  | <rest-connector><cors-rules/></rest-connector> | /cors-rules",
        "WARNED   | <rest-connector><authentication mechanisms='DIGEST'/></rest-connector>"
            + " | /authentication@mechanisms",
        "HONOURED | <rest-connector><authentication mechanisms='BASIC'/></rest-connector>",
        "HONOURED | <memcached-connector cache='c'/>",
        "HONOURED | <memcached-connector client-encoding='application/octet-stream'/>",
        "REFUSED  | <memcached-connector client-encoding='text/plain'/> | @client-encoding",
        "REFUSED  | <memcached-connector protocol='BINARY'/>       | @protocol",
        "REFUSED  | <resp-connector/>                              | resp-connector",
      })
  void connector(String text) {
    Row row = Row.of(text);
    check(row, connectors(row.content()), read(connectors("")));
  }

  private static String connectors(String content) {
    return "<infinispan><server><endpoints><endpoint>"
        + content
        + "</endpoint></endpoints></server></infinispan>";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REFUSED  | <data-sources><data-source name='d'/></data-sources> | /data-sources",
        "REFUSED  | <interfaces><interface name='i'><global/></interface></interfaces> | /global",
        "REFUSED  | <interfaces><interface name='i'><link-local/></interface></interfaces>"
            + " | /link-local",
        "REFUSED  | <interfaces><interface name='i'><non-loopback/></interface></interfaces>"
            + " | /non-loopback",
        "REFUSED  | <interfaces><interface name='i'><site-local/></interface></interfaces>"
            + " | /site-local",
        "REFUSED  | <interfaces><interface name='i'><match-interface value='e'/></interface>"
            + "</interfaces> | /match-interface",
        "REFUSED  | <interfaces><interface name='i'><match-address value='1'/></interface>"
            + "</interfaces> | /match-address",
        "REFUSED  | <interfaces><interface name='i'><match-host value='h'/></interface>"
            + "</interfaces> | /match-host",
        "HONOURED | <interfaces><interface name='i'><any-address/></interface></interfaces>"
            + "<socket-bindings default-interface='i' port-offset='1'>"
            + "<socket-binding name='default' port='5'/></socket-bindings>",
      })
  void childOfTheServer(String text) {
    Row row = Row.of(text);
    String document = "<infinispan><server>" + row.content() + "</server></infinispan>";
    check(row, document, read("<infinispan><server/></infinispan>"));
  }
}
