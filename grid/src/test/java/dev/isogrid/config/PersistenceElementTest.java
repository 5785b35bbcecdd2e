package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.InvalidRequestException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PersistenceElementTest {
  private static final FileStore DEFAULTS = FileStore.builder().build();

  private static NamedCacheConfig read(String document) {
    return CacheDocument.read(document, null, ReadContext.empty());
  }

  private static NamedCacheConfig readTrusted(String document) {
    return CacheDocument.read(document, null, ReadContext.empty().withFolders());
  }

  private static String xml(String persistence) {
    return "<local-cache>" + persistence + "</local-cache>";
  }

  @Test
  void read_withoutPersistence_hasNoStore() {
    assertNull(read("<local-cache/>").config().fileStore());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<local-cache><persistence passivation='false'><file-store path='d' fsync='each'"
            + " fsync-interval='5s' retention='1h' purge='true'/></persistence></local-cache>",
        "{\"local-cache\":{\"persistence\":{\"passivation\":false,\"file-store\":{\"path\":\"d\","
            + "\"fsync\":\"EACH\",\"fsync-interval\":5000,\"retention\":3600000,\"purge\":true}}}}",
        "localCache:\n  persistence:\n    fileStore:\n      path: d\n      fsync: EACH\n"
            + "      fsyncInterval: 5s\n      retention: 1h\n      purge: true\n",
      })
  void read_eachFormat_hasTheStore(String document) {
    FileStore expected =
        FileStore.builder()
            .path("d")
            .fsync(Fsync.EACH)
            .fsyncInterval(Duration.ofSeconds(5))
            .retention(Duration.ofHours(1))
            .purge(true)
            .build();
    assertEquals(expected, read(document).config().fileStore());
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "replicated", "distributed", "invalidation"})
  void read_eachKindOfCache_hasTheStore(String kind) {
    String element = kind + "-cache";
    String document = "<" + element + "><persistence><file-store/></persistence></" + element + ">";
    assertEquals(DEFAULTS, read(document).config().fileStore());
  }

  @ParameterizedTest
  @ValueSource(strings = {"<file-store path='/a'/>", "<file-store><data path='/a'/></file-store>"})
  void read_absolutePath_isForTrustedDocumentsOnly(String store) {
    String document = xml("<persistence>" + store + "</persistence>");
    Refusal.ofCache(document, "path=/a, line=1", "configuration file can name an absolute one");
    assertEquals(
        FileStore.builder().path("/a").build(), readTrusted(document).config().fileStore());
  }

  @Test
  void read_absolutePathOfATemplate_isInherited() {
    CacheConfig template =
        readTrusted(xml("<persistence><file-store path='/a'/></persistence>")).config();
    ReadContext context = ReadContext.empty().withTemplates(Map.of("kept", template));
    String document =
        "<local-cache configuration='kept'><persistence><file-store%s fsync='EACH'/></persistence>"
            + "</local-cache>";
    FileStore expected = FileStore.builder().path("/a").fsync(Fsync.EACH).build();
    for (String path : List.of("", " path='/a'")) {
      assertEquals(
          expected,
          CacheDocument.read(document.formatted(path), null, context).config().fileStore());
    }
    assertThrows(
        InvalidRequestException.class,
        () -> CacheDocument.read(document.formatted(" path='/a/b'"), null, context));
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "a/../b", "../../etc"})
  void read_pathWithParents_isRefused(String path) {
    Refusal.ofCache(
        xml("<persistence><file-store path='" + path + "'/></persistence>"),
        "path=" + path,
        "a relative path without ..");
  }

  @Test
  void read_pathThatNoFileSystemHas_isRefused() {
    String document = "{\"local-cache\":{\"persistence\":{\"file-store\":{\"path\":\"%s\"}}}}";
    Refusal.ofCache(document.formatted("a\\u0000b"), "/file-store@path=a?b, line=1");
    Refusal.expect(() -> readTrusted(document.formatted("../a\\nb")), "@path=../a?b, line=1");
    Refusal.expect(
        () -> readTrusted(document.formatted("../" + "a".repeat(2_000))), "a".repeat(77) + "...,");
  }

  @Test
  void read_infinispansChildren_areTakenOrNamedByAWarning() {
    NamedCacheConfig read =
        read(
            xml(
                "<persistence passivation='true' connection-attempts='3'"
                    + " availability-interval='30s'>"
                    + "<file-store shared='false' preload='false' segmented='true'"
                    + " max-batch-size='5'><data path='d' sync-writes='true' max-file-size='9'/>"
                    + "<index path='i'/><write-behind modification-queue-size='1'/></file-store>"
                    + "</persistence>"));

    assertEquals(
        FileStore.builder().path("d").fsync(Fsync.EACH).build(), read.config().fileStore());
    String warnings = String.join("\n", read.warnings());
    for (String part :
        List.of(
            "@passivation",
            "@connection-attempts",
            "@availability-interval",
            "@preload",
            "@segmented",
            "@max-batch-size",
            "/data@max-file-size",
            "/index",
            "/write-behind")) {
      assertTrue(warnings.contains(part), () -> part + " in " + warnings);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<persistence><file-store shared='true'/></persistence> | /file-store@shared=true",
        "<persistence><file-store write-only='true'/></persistence> | @write-only=true",
        "<persistence><file-store transactional='true'/></persistence> | @transactional=true",
        "<persistence><rocksdb-store path='p'/></persistence> | /rocksdb-store",
        "<persistence><table-jdbc-store/></persistence> | /table-jdbc-store",
        "<persistence><query-jdbc-store/></persistence> | /query-jdbc-store",
        "<persistence><remote-store cache='c'/></persistence> | /remote-store",
        "<persistence><cluster-loader/></persistence> | /cluster-loader",
        "<persistence><store class='x.Y'/></persistence> | /store",
        "<persistence><jdbc-store/></persistence> | /jdbc-store",
        "<persistence/> | /persistence",
      })
  void read_whatIsNotBuilt_isRefusedByName(String persistence, String path) {
    Refusal.ofCache(xml(persistence), "not supported yet: local-cache/persistence", path);
  }

  @Test
  void read_anotherStore_isToldTheOneThatThereIs() {
    Refusal.ofCache(xml("<persistence><rocksdb-store path='p'/></persistence>"), "use file-store");
  }

  @Test
  void read_preload_isWhatHoldsAnyway() {
    NamedCacheConfig read = read(xml("<persistence><file-store preload='true'/></persistence>"));
    assertEquals(DEFAULTS, read.config().fileStore());
    assertEquals(List.of(), read.warnings());
  }

  @Test
  void read_bothPurgeAndReadOnly_isRefused() {
    String document = xml("<persistence><file-store purge='true' read-only='true'/></persistence>");
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> read(document));
    assertTrue(String.valueOf(refusal.getMessage()).contains("purge and read-only"));
  }

  @ParameterizedTest
  @EnumSource(DocumentFormat.class)
  void write_store_isReadAgain(DocumentFormat format) {
    for (FileStore store :
        List.of(
            DEFAULTS,
            FileStore.builder().path("/a b").fsync(Fsync.NONE).purge(true).build(),
            FileStore.builder().fsyncInterval(Duration.ofMillis(7)).readOnly(true).build())) {
      CacheConfig config =
          CacheElement.defaults(CacheKind.LOCAL).toBuilder().fileStore(store).build();
      assertEquals(config, readTrusted(CacheDocument.write("c", config, format)).config());
    }
  }
}
