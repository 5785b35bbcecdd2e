package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random changes of documents give a result or an InvalidRequestException, nothing else. */
class DocumentFuzzTest {
  private static final int DOCUMENTS = 30_000;

  /** Parts of documents, for changes that get further than random characters would. */
  private static final String[] PARTS = {
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "/>",
    "</",
    "\"",
    "'",
    ":",
    ",",
    "=",
    "&",
    "*",
    "!",
    "#",
    "-",
    "|",
    "?",
    "%",
    "@",
    "~",
    "null",
    "true",
    "0",
    "-1",
    "1.5h",
    "10MB",
    "9".repeat(30),
    "${",
    "${a}",
    "${a:b}",
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    "\u0000",
    "\u0085",
    "\u2028",
    "\uFEFF",
    "\uD83D",
    "😀",
    "ä",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x?>",
    "<!DOCTYPE a>",
    "&lt;",
    "&#0;",
    "&#x41;",
    "---\n",
    "...\n",
    "- ",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "\\u0000",
    "\\",
    "xmlns:x='y' ",
    "xmlns='urn:infinispan:x' ",
    "name",
    "caches",
    "local-cache",
    "distributedCache",
    "memory",
    "max-count",
    "maxSize",
    "whenFull",
    "OFF_HEAP",
    "64KiB",
    "configuration",
    "encoding",
    "mediaType",
    "expiration",
    "endpoints",
    "connectors",
    "infinispan",
    "socket-binding",
    "interface",
    "port",
    "org.infinispan.LOCAL",
    "[]",
    "{}",
  };

  private static final String SERVER_XML =
      """
      <infinispan xmlns="urn:infinispan:config:16.3"><cache-container name="m" default-cache="b">
      <transport cluster="${c:blue}" node-name="n"/>
      <distributed-cache-configuration name="t" owners="3"/>
      <distributed-cache name="a" configuration="t"><expiration lifespan="1m"/></distributed-cache>
      <local-cache name="b"><memory max-size="1MB" when-full="REMOVE"/></local-cache>
      </cache-container><server>
      <interfaces><interface name="i"><inet-address value="::1"/></interface></interfaces>
      <socket-bindings default-interface="i" port-offset="1">
      <socket-binding name="default" port="11222"/></socket-bindings>
      <endpoints socket-binding="default"><rest-connector/><hotrod-connector name="h"/></endpoints>
      </server></infinispan>
      """;

  private static final String SERVER_JSON =
      """
      {"infinispan":{"cache-container":{"name":"m","default-cache":"b","caches":{
      "t":{"distributed-cache-configuration":{"owners":3}},
      "a":{"distributed-cache":{"configuration":"t","memory":{"storage":"HEAP"}}},
      "b":{"local-cache":null}}},"server":{
      "interfaces":[{"name":"i","inet-address":{"value":"::1"}}],
      "socket-bindings":{"default-interface":"i","socket-binding":[{"name":"s","port":1}]},
      "endpoints":{"endpoint":{"connectors":{"h":{"hotrod-connector":{"idle-timeout":5}}}}}}}}
      """;

  private static final String SERVER_YAML =
      """
      infinispan:
        cacheContainer:
          caches:
            t: {distributedCacheConfiguration: {owners: &n 3}}
            a: {distributedCache: &d {configuration: t, segments: *n}}
            b: {distributedCache: *d}
            c: {localCache: ~}
        server:
          interfaces:
            - name: i
              anyAddress: ~
          socketBindings: {defaultInterface: i, socketBinding: {s: {port: 1}}}
          endpoints:
            connectors: {m: {memcachedConnector: {cache: c}}}
      """;

  private static final List<DocumentFormat> FORMATS = List.of(DocumentFormat.values());

  private static final ReadContext CONTEXT = ReadContext.empty().withObjects();

  private final List<String> documents = new ArrayList<>();

  DocumentFuzzTest() {
    documents.addAll(List.of(SERVER_XML, SERVER_JSON, SERVER_YAML));
    Random random = new Random(1);
    for (DocumentFormat format : FORMATS) {
      for (int i = 0; i < 3; i++) {
        documents.add(CacheDocument.write("orders", RandomConfigs.config(random), format));
      }
    }
  }

  @Test
  void read_changedDocument_givesResultOrRefusal() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("DocumentFuzzTest: replay with -Dseed=" + seed);
    Random random = new Random(seed);
    int accepted = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
      String document = changed(random);
      try {
        accepted += read(document, random) ? 1 : 0;
      } catch (RuntimeException | Error failure) {
        throw new AssertionError(
            "seed=%d, i=%d, document=%s".formatted(seed, i, document), failure);
      }
    }
    assertTrue(accepted > DOCUMENTS / 100, "changes never leave a document valid: " + accepted);
    assertTrue(accepted < DOCUMENTS * 9 / 10, "changes never make a document invalid: " + accepted);
  }

  private String changed(Random random) {
    StringBuilder text = new StringBuilder(documents.get(random.nextInt(documents.size())));
    int changes = 1 + random.nextInt(random.nextInt(8) + 1);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(random.nextInt(30) + 1));
      switch (random.nextInt(5)) {
        case 0 -> text.insert(at, PARTS[random.nextInt(PARTS.length)]);
        case 1 -> text.replace(at, end, PARTS[random.nextInt(PARTS.length)]);
        case 2 -> text.delete(at, end);
        case 3 -> text.insert(random.nextInt(text.length() + 1), text.substring(at, end));
        default -> text.insert(at, (char) random.nextInt(random.nextBoolean() ? 128 : 65_536));
      }
    }
    return text.toString();
  }

  /** Reads a document as each kind; returns whether one of them accepts it. */
  private static boolean read(String document, Random random) {
    DocumentFormat format = null;
    if (random.nextInt(4) == 0) {
      format = FORMATS.get(random.nextInt(FORMATS.size()));
    }
    boolean isBytes = random.nextInt(4) == 0;
    boolean isCache = isCache(document, format, isBytes);
    boolean isServer = isServer(document, format, isBytes);
    return isCache || isServer;
  }

  private static boolean isCache(
      String document, @Nullable DocumentFormat format, boolean isBytes) {
    try {
      NamedCacheConfig cache =
          isBytes
              ? CacheDocument.read(bytes(document), format, CONTEXT)
              : CacheDocument.read(document, format, CONTEXT);
      String written = CacheDocument.write(cache.name(), cache.config(), DocumentFormat.JSON);
      assertFalse(written.isEmpty());
      return true;
    } catch (InvalidRequestException refusal) {
      checkMessage(refusal);
      return false;
    }
  }

  private static boolean isServer(
      String document, @Nullable DocumentFormat format, boolean isBytes) {
    try {
      ServerDocument server =
          isBytes
              ? ServerDocument.read(bytes(document), format, CONTEXT)
              : ServerDocument.read(document, format, CONTEXT);
      server.caches().forEach(cache -> assertFalse(String.valueOf(cache.name()).isBlank()));
      return true;
    } catch (InvalidRequestException refusal) {
      checkMessage(refusal);
      return false;
    }
  }

  private static byte[] bytes(String document) {
    return document.getBytes(StandardCharsets.UTF_8);
  }

  private static void checkMessage(InvalidRequestException refusal) {
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.length() < 1_500, () -> "long message: " + message);
    assertTrue(
        message.chars().noneMatch(Character::isISOControl), () -> "control characters: " + message);
  }
}
