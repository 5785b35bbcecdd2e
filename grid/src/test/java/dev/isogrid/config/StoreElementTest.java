package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.WriteBehind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreElementTest {
  private static final ReadContext TRUSTED = ReadContext.empty().withFolders();

  private static final StoreConfig JDBC =
      StoreConfig.named("jdbc")
          .property("dialect", "POSTGRES")
          .property("connection-url", "jdbc:postgresql://db/orders")
          .property("username", "u")
          .property("password", "p")
          .property("pool.max-size", "5")
          .property("table.prefix", "GRID")
          .property("table.drop-on-exit", "true")
          .property("id-column.name", "k")
          .property("id-column.type", "VARCHAR(255)")
          .property("segment-column.name", "s")
          .preload(true)
          .shared(true)
          .build();

  private static NamedCacheConfig read(String document) {
    return CacheDocument.read(document, null, TRUSTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        <local-cache><persistence><string-keyed-jdbc-store dialect="POSTGRES" preload="true"
          shared="true"><connection-pool connection-url="jdbc:postgresql://db/orders" username="u"
          password="p" max-size="5"/><string-keyed-table prefix="GRID" drop-on-exit="true"
          fetch-size="9"><id-column name="k" type="VARCHAR(255)"/><segment-column name="s"
          type="INT"/></string-keyed-table></string-keyed-jdbc-store></persistence></local-cache>
        """,
        """
        {"local-cache": {"persistence": {"string-keyed-jdbc-store": {"dialect": "POSTGRES",
          "preload": true, "shared": true, "connection-pool": {"connection-url":
          "jdbc:postgresql://db/orders", "username": "u", "password": "p", "max-size": 5},
          "string-keyed-table": {"prefix": "GRID", "drop-on-exit": true, "id-column":
          {"name": "k", "type": "VARCHAR(255)"}, "segment-column": {"name": "s"}}}}}}
        """,
        """
        localCache:
          persistence:
            stringKeyedJdbcStore:
              dialect: POSTGRES
              preload: true
              shared: true
              connectionPool:
                connectionUrl: jdbc:postgresql://db/orders
                username: u
                password: p
                maxSize: 5
              stringKeyedTable:
                prefix: GRID
                dropOnExit: true
                idColumn:
                  name: k
                  type: VARCHAR(255)
                segmentColumn:
                  name: s
        """,
      })
  void read_eachFormat_hasTheDatabase(String document) {
    assertEquals(JDBC, read(document).config().store());
  }

  @Test
  void read_dataSource_andWriteBehind() {
    StoreConfig expected =
        StoreConfig.named("jdbc")
            .property("dialect", "H2")
            .property("data-source.jndi-url", "java:/orders")
            .readOnly(false)
            .writeBehind(new WriteBehind(7, 20, 5000))
            .build();
    String document =
        "<local-cache><persistence><jdbc-store dialect='H2' max-batch-size='20'><data-source"
            + " jndi-url='java:/orders'/><write-behind modification-queue-size='7' timeout='5s'"
            + " fail-silently='false'/></jdbc-store></persistence></local-cache>";
    assertEquals(expected, read(document).config().store());
  }

  @Test
  void read_storeOfAUser_hasItsProperties() {
    StoreConfig expected =
        StoreConfig.named("com.acme.Orders").property("a", "1").property("b", "2").build();
    for (String properties :
        List.of(
            "<property name='a'>1</property><property name='b' value='2'/>",
            "<properties a='1' b='2'/>")) {
      String document =
          "<local-cache><persistence><store class='com.acme.Orders'>"
              + properties
              + "</store></persistence></local-cache>";
      assertEquals(expected, read(document).config().store());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<jdbc-store key-to-string-mapper='x'/> | @key-to-string-mapper",
        "<jdbc-store write-only='true'/> | @write-only=true",
        "<jdbc-store><connection-pool properties-file='f'/></jdbc-store> | @properties-file",
        "<jdbc-store><write-behind fail-silently='true'/></jdbc-store> | @fail-silently=true",
        "<jdbc-store><write-behind modification-queue-size='0'/></jdbc-store> | queue-size=0",
        "<jdbc-store/><file-store/> | a cache has one store",
        "<jdbc-store/><store class='x'/> | a cache has one store",
        "<store/> | /store@class",
        "<jdbc-store read-only='true' purge='true'/> | read-only with purge",
      })
  void read_whatIsNotBuilt_isRefusedByName(String store, String part) {
    Refusal.expect(
        () -> read("<local-cache><persistence>" + store + "</persistence></local-cache>").config(),
        part);
  }

  @Test
  void read_documentOfAClient_mayOnlyInheritAStore() {
    String store =
        "<persistence><jdbc-store><connection-pool connection-url='jdbc:h2:mem:a'/></jdbc-store>"
            + "</persistence>";
    CacheConfig template = read("<local-cache>" + store + "</local-cache>").config();
    ReadContext context = ReadContext.empty().withTemplates(Map.of("t", template));
    Refusal.ofCache(
        "<local-cache>" + store + "</local-cache>", "the server's configuration file can name one");
    assertEquals(
        template.store(),
        CacheDocument.read("<local-cache configuration='t'/>", null, context).config().store());
  }

  @ParameterizedTest
  @EnumSource(DocumentFormat.class)
  void write_store_isReadAgain(DocumentFormat format) {
    StoreConfig behind =
        StoreConfig.named("com.acme.Orders")
            .property("a.b", "1")
            .purge(true)
            .writeBehind(WriteBehind.DEFAULT.batchMax(3).timeout(Duration.ofSeconds(1)))
            .build();
    StoreConfig plain = StoreConfig.named("com.acme.Orders").readOnly(true).build();
    for (StoreConfig store : List.of(JDBC, behind, plain)) {
      CacheConfig config = CacheElement.defaults(CacheKind.LOCAL).toBuilder().store(store).build();
      assertEquals(config, read(CacheDocument.write("c", config, format)).config());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db:5432/shop?user=ada&password=hunter2&ssl=true",
        "jdbc:sqlserver://db;user=ada;Password=hunter2;encrypt=true",
        "jdbc:mysql://ada:hunter2@db/shop",
        "jdbc:oracle:thin:ada/hunter2@//db:1521/shop",
        "jdbc:h2:mem:a;PWD=hunter2",
        "jdbc:mariadb://address=(host=db)(password=hunter2)(port=1)/shop"
      })
  void show_hidesThePasswordWithinAUrl(String url) {
    CacheConfig config =
        CacheElement.defaults(CacheKind.LOCAL).toBuilder()
            .store(JDBC.toBuilder().property("connection-url", url).build())
            .build();
    String shown = CacheDocument.show("c", config, DocumentFormat.JSON, true);
    assertFalse(shown.contains("hunter2"), shown);
    assertTrue(shown.contains("db") || shown.contains("jdbc:h2:mem:a;"), shown);
  }

  @Test
  void show_leavesAUrlWithoutPasswordAsItIs() {
    String url = "jdbc:postgresql://db:5432/shop?user=ada&ssl=true";
    CacheConfig config =
        CacheElement.defaults(CacheKind.LOCAL).toBuilder()
            .store(JDBC.toBuilder().property("connection-url", url).build())
            .build();
    assertTrue(CacheDocument.show("c", config, DocumentFormat.JSON, true).contains(url));
  }

  @Test
  void show_hidesThePassword() {
    CacheConfig config =
        CacheElement.defaults(CacheKind.LOCAL).toBuilder()
            .store(JDBC.toBuilder().property("password", "hunter2").build())
            .build();
    String shown = CacheDocument.show("c", config, DocumentFormat.XML, true);
    assertFalse(shown.contains("hunter2"));
    assertTrue(shown.contains("password=\"***\""), shown);
    assertFalse(config.toString().contains("hunter2"), "as messages and logs show it");
  }
}
