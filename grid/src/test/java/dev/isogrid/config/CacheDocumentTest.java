package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Compression;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.api.WhenSplit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheDocumentTest {
  private static final CacheConfig ORDERS =
      CacheConfig.builder()
          .mode(CacheMode.DIST_SYNC)
          .owners(3)
          .segments(128)
          .statistics(true)
          .storage(StorageType.HEAP_BINARY)
          .encoding("application/x-protostream", "application/x-protostream")
          .lifespan(30, TimeUnit.MINUTES)
          .maxIdle(5, TimeUnit.MINUTES)
          .whenSplit(WhenSplit.ALLOW_READ_WRITES)
          .mergePolicy(MergePolicy.PREFERRED_NON_NULL)
          .build();

  private static final String ORDERS_XML =
      """
      <distributed-cache name="orders" owners="3" segments="128" mode="SYNC" statistics="true">
        <encoding media-type="application/x-protostream"/>
        <expiration lifespan="30m" max-idle="5m"/>
        <memory storage="HEAP" when-full="NONE"/>
        <partition-handling when-split="ALLOW_READ_WRITES" merge-policy="PREFERRED_NON_NULL"/>
      </distributed-cache>
      """;

  private static final String ORDERS_JSON =
      """
      {"orders":{"distributed-cache":{"owners":3,"segments":128,"mode":"SYNC","statistics":true,
       "encoding":{"media-type":"application/x-protostream"},
       "expiration":{"lifespan":"30m","max-idle":300000},
       "memory":{"storage":"HEAP","when-full":"NONE"},
       "partition-handling":{"when-split":"ALLOW_READ_WRITES",
        "merge-policy":"PREFERRED_NON_NULL"}}}}
      """;

  private static final String ORDERS_YAML =
      """
      orders:
        distributedCache:
          owners: 3
          segments: '128'
          mode: SYNC
          statistics: true
          encoding: {mediaType: application/x-protostream}
          expiration: {lifespan: 30m, maxIdle: 5m}
          memory: {storage: HEAP, whenFull: NONE}
          partitionHandling: {whenSplit: ALLOW_READ_WRITES, mergePolicy: PREFERRED_NON_NULL}
      """;

  private static NamedCacheConfig read(String document) {
    return CacheDocument.read(document, null, ReadContext.empty());
  }

  private static CacheConfig config(String document) {
    return read(document).config();
  }

  @ParameterizedTest
  @ValueSource(strings = {ORDERS_XML, ORDERS_JSON, ORDERS_YAML})
  void read_sameCacheInAnyFormat_givesSameConfig(String document) {
    assertEquals(new NamedCacheConfig("orders", ORDERS, List.of()), read(document));
  }

  @Test
  void read_bytes_areUtf8() {
    byte[] bytes = "{\"größe\":{\"local-cache\":null}}".getBytes(StandardCharsets.UTF_8);
    NamedCacheConfig cache = CacheDocument.read(bytes, DocumentFormat.JSON, ReadContext.empty());
    assertEquals("größe", cache.name());
  }

  @Test
  void read_formatOtherThanTheGivenOne_isRefused() {
    Refusal.expect(
        () -> CacheDocument.read(ORDERS_XML, DocumentFormat.JSON, ReadContext.empty()),
        "malformed");
  }

  @ParameterizedTest
  @CsvSource({
    "local-cache, , LOCAL",
    "replicated-cache, , REPL_SYNC",
    "replicated-cache, SYNC, REPL_SYNC",
    "replicated-cache, ASYNC, REPL_ASYNC",
    "distributed-cache, , DIST_SYNC",
    "distributed-cache, ASYNC, DIST_ASYNC",
    "distributed-cache-configuration, async, DIST_ASYNC",
    "invalidation-cache, , INVALIDATION_SYNC",
    "invalidation-cache-configuration, ASYNC, INVALIDATION_ASYNC",
    "local-cache-configuration, , LOCAL",
  })
  void read_element_givesMode(String element, String attribute, CacheMode mode) {
    String attributes = attribute == null ? "" : " mode='" + attribute + "'";
    assertEquals(mode, config("<" + element + attributes + "/>").mode());
  }

  @Test
  void read_emptyElement_givesDefaultsOffTheHeap() {
    CacheConfig defaults =
        CacheConfig.builder().mode(CacheMode.DIST_SYNC).storage(StorageType.OFF_HEAP).build();
    assertEquals(defaults, config("<distributed-cache/>"));
  }

  @Test
  void read_withoutName_givesNull() {
    assertNull(read("{\"local-cache\":{}}").name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<infinispan><cache-container><local-cache name='c'/></cache-container></infinispan>",
        "<isogrid><cache-container name='x'><local-cache name='c'/></cache-container></isogrid>",
        "{\"c\":{\"local-cache\":{}}}",
        "{\"c\":{\"localCache\":{\"name\":\"c\"}}}",
        "{\"local-cache\":{\"name\":\"c\"}}",
        "{\"infinispan\":{\"cache-container\":{\"caches\":{\"c\":{\"local-cache\":{}}}}}}",
        "{\"infinispan\":{\"cache-container\":{\"local-cache\":{\"name\":\"c\"}}}}",
        "{\"infinispan\":{\"cache-container\":{\"caches\":[{\"local-cache\":{\"name\":\"c\"}}]}}}",
        "infinispan: {cacheContainer: {caches: {c: {localCache: ~}}}}",
        "c: {local-cache: }",
        "caches: {c: {localCache: ~}}",
        "caches:\n  c:\n    local-cache: {}\n",
        "caches: [{localCache: {name: c}}]",
        "caches: {localCache: {name: c}}",
        "{\"caches\":{\"c\":{\"local-cache\":{}}}}",
        "<caches><local-cache name='c'/></caches>",
      })
  void read_anyWrapping_findsCacheAndName(String document) {
    assertEquals("c", read(document).name());
    assertEquals(CacheMode.LOCAL, config(document).mode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"local-cache", "infinispan", "caches", "myCache", "a:b", "a b", "${a}"})
  void read_nameLikeAnElement_isKeptAsWritten(String name) {
    assertEquals(name, read("{\"" + name + "\":{\"local-cache\":{}}}").name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"caches: {localCache: {name: caches}}", "caches: {caches: {localCache: {}}}"})
  void read_cacheOfTheNameCaches_isOne(String document) {
    assertEquals("caches", read(document).name());
  }

  @Test
  void read_wrappedCacheWithItsTemplate_inherits() {
    String document =
        """
        infinispan:
          cacheContainer:
            caches:
              base: {distributedCacheConfiguration: {owners: 5, statistics: true}}
              c: {distributedCache: {configuration: base, statistics: false}}
        """;
    assertEquals(5, config(document).owners());
    assertEquals(false, config(document).statistics());
  }

  @Test
  void read_templateOfContext_isInherited() {
    ReadContext context = ReadContext.empty().withTemplates(Map.of("orders", ORDERS));
    String document = "<distributed-cache configuration='orders' owners='1'/>";
    assertEquals(
        ORDERS.toBuilder().owners(1).build(), CacheDocument.read(document, null, context).config());
  }

  @Test
  void read_predefinedTemplate_isInheritedWithItsMode() {
    CacheConfig config = config("<replicated-cache configuration='org.infinispan.REPL_ASYNC'/>");
    assertEquals(CacheTemplates.template("dev.isogrid.REPL_ASYNC"), config);
  }

  @Test
  void read_modeOnTopOfTemplate_wins() {
    String document = "<replicated-cache configuration='dev.isogrid.REPL_ASYNC' mode='SYNC'/>";
    assertEquals(CacheMode.REPL_SYNC, config(document).mode());
  }

  @Test
  void read_expirationOnTopOfTemplate_keepsTheRestOfIt() {
    ReadContext context = ReadContext.empty().withTemplates(Map.of("orders", ORDERS));
    String document =
        "<distributed-cache configuration='orders'><expiration max-idle='1m'/></distributed-cache>";
    CacheConfig config = CacheDocument.read(document, null, context).config();
    assertEquals(TimeUnit.MINUTES.toMillis(30), config.lifespanMillis());
    assertEquals(TimeUnit.MINUTES.toMillis(1), config.maxIdleMillis());
  }

  @Test
  void read_keyAndValueMediaTypes_areApart() {
    CacheConfig config =
        config(
            """
            <local-cache><encoding>
              <key media-type="text/plain; charset=UTF-8"/><value media-type="application/json"/>
            </encoding></local-cache>
            """);
    assertEquals("text/plain; charset=UTF-8", config.keyMediaType());
    assertEquals("application/json", config.valueMediaType());
  }

  @Test
  void read_keyMediaTypeOnly_leavesThatOfValuesUnknown() {
    CacheConfig config =
        config("{\"local-cache\":{\"encoding\":{\"key\":{\"mediaType\":\"a/b\"}}}}");
    assertEquals("a/b", config.keyMediaType());
    assertEquals(CacheConfig.UNKNOWN_MEDIA_TYPE, config.valueMediaType());
  }

  @ParameterizedTest
  @CsvSource({"-1, -1", "1, 1", "1500, 1500", "1.5s, 1500", "2d, 172800000"})
  void read_lifespan_isInMillis(String lifespan, long millis) {
    String document = "<local-cache><expiration lifespan='%s'/></local-cache>".formatted(lifespan);
    assertEquals(millis, config(document).lifespanMillis());
  }

  @ParameterizedTest
  @CsvSource({"-1, -1", "0, 0", "30s, 30000", "-5, -5"})
  void read_interval_isInMillis(String interval, long millis) {
    String document = "<local-cache><expiration interval='%s'/></local-cache>".formatted(interval);
    assertEquals(millis, config(document).reaperIntervalMillis());
  }

  @ParameterizedTest
  @CsvSource({
    "HEAP, HEAP_BINARY",
    "heap, HEAP_BINARY",
    "HEAP_BINARY, HEAP_BINARY",
    "HEAP_OBJECT, HEAP_OBJECT",
    "OFF_HEAP, OFF_HEAP",
    "off_heap, OFF_HEAP",
  })
  void read_storage_isHonoured(String storage, StorageType type) {
    String document = "<local-cache><memory storage='%s'/></local-cache>".formatted(storage);
    ReadContext context = ReadContext.empty().withObjects();
    assertEquals(type, CacheDocument.read(document, null, context).config().storage());
  }

  @ParameterizedTest
  @CsvSource({"none, NONE", "dictionary, DICTIONARY", "DICTIONARY, DICTIONARY"})
  void read_compression_isHonoured(String text, Compression compression) {
    assertEquals(compression, memory("compression='" + text + "'").compression());
    assertEquals(compression, memory("storage='HEAP' compression='" + text + "'").compression());
    assertEquals(Compression.NONE, memory("storage='HEAP'").compression());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"local-cache\":{\"memory\":{\"compression\":\"dictionary\"}}}",
        "localCache: {memory: {compression: dictionary}}",
        "<local-cache><memory compression='dictionary'/></local-cache>",
      })
  void read_compressionInAnyFormat_givesSameConfig(String document) {
    assertEquals(
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .compression(Compression.DICTIONARY)
            .build(),
        config(document));
  }

  @Test
  void read_compressionOfATemplate_isInherited() {
    CacheConfig template =
        CacheConfig.builder()
            .mode(CacheMode.DIST_SYNC)
            .storage(StorageType.OFF_HEAP)
            .compression(Compression.DICTIONARY)
            .build();
    assertEquals(Compression.DICTIONARY, onTemplate(template, "max-count='5'").compression());
    assertEquals(Compression.NONE, onTemplate(template, "compression='none'").compression());
  }

  private static CacheConfig memory(String attributes) {
    return config("<local-cache><memory " + attributes + "/></local-cache>");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1000000, 1000000",
    "9223372036854775807, 9223372036854775807",
    "-1, -1",
  })
  void read_maxCount_isHonoured(String text, long maxCount) {
    CacheConfig config = memory("max-count='" + text + "'");
    assertEquals(maxCount, config.maxCount());
    assertEquals(CacheConfig.UNBOUNDED, config.maxSizeBytes());
    assertEquals(maxCount >= 0, config.isBounded());
    assertEquals(StorageType.OFF_HEAP, config.storage());
  }

  @ParameterizedTest
  @CsvSource({
    "65536, 65536",
    "100KB, 100000",
    "64KiB, 65536",
    "100MB, 100000000",
    "1.5 GB, 1500000000",
    "512MiB, 536870912",
    "2TiB, 2199023255552",
    "-1, -1",
  })
  void read_maxSize_isInBytes(String text, long bytes) {
    CacheConfig config = memory("max-size='" + text + "' storage='HEAP'");
    assertEquals(bytes, config.maxSizeBytes());
    assertEquals(CacheConfig.UNBOUNDED, config.maxCount());
  }

  @ParameterizedTest
  @CsvSource({
    "max-count='5', REMOVE",
    "max-count='5' when-full='NONE', REMOVE",
    "max-count='5' when-full='remove', REMOVE",
    "max-size='1MB' when-full='REMOVE', REMOVE",
    "max-size='1MB' when-full='EXCEPTION', EXCEPTION",
    "max-count='5' max-size='-1' when-full='exception', EXCEPTION",
    "when-full='NONE', REMOVE",
  })
  void read_whenFull_isHonoured(String attributes, WhenFull whenFull) {
    assertEquals(whenFull, memory(attributes).whenFull());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"local-cache\":{\"memory\":{\"storage\":\"OFF_HEAP\",\"max-size\":\"100MB\","
            + "\"when-full\":\"EXCEPTION\"}}}",
        "{\"localCache\":{\"memory\":{\"maxSize\":100000000,\"whenFull\":\"EXCEPTION\"}}}",
        "localCache: {memory: {storage: OFF_HEAP, maxSize: 100MB, whenFull: EXCEPTION}}",
        "<local-cache><memory max-size='100MB' when-full='EXCEPTION'/></local-cache>",
      })
  void read_memoryInAnyFormat_givesSameConfig(String document) {
    assertEquals(
        CacheConfig.builder()
            .storage(StorageType.OFF_HEAP)
            .maxSize(100_000_000)
            .whenFull(WhenFull.EXCEPTION)
            .build(),
        config(document));
  }

  private static CacheConfig onTemplate(CacheConfig template, String attributes) {
    ReadContext context = ReadContext.empty().withTemplates(Map.of("t", template));
    String document =
        "<distributed-cache configuration='t'><memory %s/></distributed-cache>"
            .formatted(attributes);
    return CacheDocument.read(document, null, context).config();
  }

  @Test
  void read_memoryOnTopOfTemplate_keepsTheRestOfIt() {
    CacheConfig template = ORDERS.toBuilder().maxCount(9).whenFull(WhenFull.EXCEPTION).build();

    assertEquals(template, onTemplate(template, ""));
    assertEquals(template.toBuilder().maxCount(5).build(), onTemplate(template, "max-count='5'"));
    assertEquals(
        template.toBuilder().storage(StorageType.OFF_HEAP).build(),
        onTemplate(template, "storage='OFF_HEAP'"));
    assertEquals(ORDERS, onTemplate(template, "max-count='-1'"));
    assertEquals(
        template.toBuilder().maxCount(-1).maxSize(1_000_000).build(),
        onTemplate(template, "max-count='-1' max-size='1MB'"));
  }

  @Test
  void read_otherBoundThanThatOfTheTemplate_isRefused() {
    CacheConfig template = ORDERS.toBuilder().maxCount(9).build();
    Refusal.expect(
        () -> onTemplate(template, "max-size='1MB'"),
        "memory@max-size=1MB",
        "max-count=9 or max-size=1000000; -1 takes one away");
  }

  @Test
  void read_propertyInDocument_isPutInByTheContext() {
    ReadContext context = ReadContext.empty().withProperties(Map.of("n", "7")::get);
    assertEquals(
        7,
        CacheDocument.read("<distributed-cache owners='${n}'/>", null, context).config().owners());
  }

  @Test
  void read_propertyOfTheProcess_isNotSeenByTheEmptyContext() {
    Refusal.ofCache("<local-cache name='${java.version}'/>", "property not defined");
  }

  @Test
  void encodingAsObjects_keepsObjectsWhereThatIsPossible() {
    String document =
        "<local-cache><encoding media-type='application/x-java-object'/></local-cache>";
    ReadContext embedded = ReadContext.empty().withObjects();
    assertEquals(
        StorageType.HEAP_OBJECT, CacheDocument.read(document, null, embedded).config().storage());
    assertEquals(
        StorageType.OFF_HEAP,
        CacheDocument.read(document, null, ReadContext.empty()).config().storage());
    String offHeap = document.replace("</local", "<memory storage='OFF_HEAP'/></local");
    assertEquals(
        StorageType.OFF_HEAP, CacheDocument.read(offHeap, null, embedded).config().storage());
    String bounded = document.replace("</local", "<memory max-count='5'/></local");
    assertEquals(
        StorageType.HEAP_OBJECT, CacheDocument.read(bounded, null, embedded).config().storage());
  }
}
