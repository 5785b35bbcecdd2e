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
            + " fsync-interval='5s' purge='true'/></persistence></local-cache>",
        "{\"local-cache\":{\"persistence\":{\"passivation\":false,\"file-store\":{\"path\":\"d\","
            + "\"fsync\":\"EACH\",\"fsync-interval\":5000,\"purge\":true}}}}",
        "localCache:\n  persistence:\n    fileStore:\n      path: d\n      fsync: EACH\n"
            + "      fsyncInterval: 5s\n      purge: true\n",
      })
  void read_eachFormat_hasTheStore(String document) {
    FileStore expected =
        FileStore.builder()
            .path("d")
            .fsync(Fsync.EACH)
            .fsyncInterval(Duration.ofSeconds(5))
            .purge(true)
            .build();
    assertEquals(expected, read(document).config().fileStore());
  }

  @Test
  void read_infinispansChildren_areTakenOrNamedByAWarning() {
    NamedCacheConfig read =
        read(
            xml(
                "<persistence connection-attempts='3' availability-interval='30s'>"
                    + "<file-store shared='false' preload='true' segmented='true'"
                    + " max-batch-size='5'><data path='d' sync-writes='true' max-file-size='9'/>"
                    + "<index path='i'/><write-behind modification-queue-size='1'/></file-store>"
                    + "</persistence>"));

    assertEquals(
        FileStore.builder().path("d").fsync(Fsync.EACH).build(), read.config().fileStore());
    String warnings = String.join("\n", read.warnings());
    for (String part :
        List.of(
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
        "<persistence passivation='true'><file-store/></persistence> | @passivation=true",
        "<persistence><file-store shared='true'/></persistence> | /file-store@shared=true",
        "<persistence><file-store write-only='true'/></persistence> | @write-only=true",
        "<persistence><file-store transactional='true'/></persistence> | @transactional=true",
        "<persistence><rocksdb-store path='p'/></persistence> | /rocksdb-store",
        "<persistence><string-keyed-jdbc-store/></persistence> | /string-keyed-jdbc-store",
        "<persistence><table-jdbc-store/></persistence> | /table-jdbc-store",
        "<persistence><query-jdbc-store/></persistence> | /query-jdbc-store",
        "<persistence><remote-store cache='c'/></persistence> | /remote-store",
        "<persistence><cluster-loader/></persistence> | /cluster-loader",
        "<persistence><store class='x.Y'/></persistence> | /store",
        "<persistence/> | /persistence",
      })
  void read_whatIsNotBuilt_isRefusedByName(String persistence, String path) {
    Refusal.ofCache(xml(persistence), "not supported yet: local-cache/persistence", path);
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
      assertEquals(config, read(CacheDocument.write("c", config, format)).config());
    }
  }
}
