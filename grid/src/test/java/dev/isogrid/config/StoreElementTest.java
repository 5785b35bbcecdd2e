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
import java.util.Objects;
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
            "<properties a='1' b='2'/>",
            "<properties a='1'><property name='b'>2</property></properties>")) {
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
  @CsvSource(
      delimiter = '|',
      value = {
        "<property name='a' val='b'/> | store/property@val",
        "<property name='a'><value>b</value></property> | store/property/value",
        "<property name='a' value='b'>c</property> | text not expected",
        "<property value='b'/> | store/property@name",
        "<property name='a'>b</property><property name='a'>c</property> | property twice: name=a",
        "<properties a='b'/><property name='a'>c</property> | property twice: name=a",
        "<properties><a>b</a></properties> | store/properties/a",
        "<properties a='b'>c</properties> | text not expected",
      })
  void read_propertiesWithUnreadParts_areRefused(String properties, String part) {
    Refusal.expect(
        () ->
            read(
                "<local-cache><persistence><store class='x'>"
                    + properties
                    + "</store></persistence></local-cache>"),
        part);
  }

  @Test
  void read_batchesWithoutWriteBehind_areAcceptedWithWarning() {
    String document =
        "<local-cache><persistence><store class='x' max-batch-size='5'>%s</store></persistence>"
            + "</local-cache>";
    assertEquals(
        List.of("local-cache/persistence/store@max-batch-size has no effect"),
        read(document.formatted("")).warnings());
    assertEquals(List.of(), read(document.formatted("<write-behind/>")).warnings());
  }

  private static void assertReadAgain(StoreConfig store, DocumentFormat format) {
    CacheConfig config = CacheElement.defaults(CacheKind.LOCAL).toBuilder().store(store).build();
    for (boolean isPretty : new boolean[] {true, false}) {
      String document = CacheDocument.write("c", config, format, isPretty);
      assertEquals(
          store.properties(),
          Objects.requireNonNull(read(document).config().store()).properties(),
          document);
      assertEquals(config, read(document).config(), document);
    }
  }

  @ParameterizedTest
  @EnumSource(DocumentFormat.class)
  void write_propertiesOfAnyName_areReadAgain(DocumentFormat format) {
    StoreConfig.Builder store = StoreConfig.named("com.acme.Orders");
    for (String name :
        List.of(
            "max-size",
            "maxSize",
            "max_size",
            "MAX.size",
            "level-2",
            "a.b-c",
            "a b",
            "javax.sql:user",
            "1",
            "-",
            "a-",
            "~",
            "null",
            "xmlns",
            "property",
            "name",
            "_namespace",
            "größe",
            "${a}",
            "a\nb",
            "x".repeat(2_000))) {
      store.property(name, "value of " + name);
    }
    assertReadAgain(store.build(), format);
    assertReadAgain(StoreConfig.named("x").property("maxSize", "1").build(), format);
  }

  @ParameterizedTest
  @EnumSource(DocumentFormat.class)
  void write_propertiesOfAnyValue_areReadAgain(DocumentFormat format) {
    List<String> values =
        List.of(
            "",
            " ",
            " a  b ",
            "select *\n\tfrom a\r\n",
            "${user.home}",
            "$${a:b}${",
            "a ${b}} ${",
            "\"<a>\" & 'b' \\ \\n",
            "true",
            "007",
            "null",
            "# a: - b",
            "\u0085\u2028\u2029\uFEFF",
            "größe 日本 😀");
    StoreConfig.Builder store = StoreConfig.named("com.acme.Orders");
    for (int i = 0; i < values.size(); i++) {
      store.property("a" + i, values.get(i)).property("A" + i, values.get(i));
    }
    assertReadAgain(store.build(), format);
  }

  @Test
  void write_controlCharacter_isRefusedByXmlOnly() {
    StoreConfig store = StoreConfig.named("x").property("a", "b\u0001").build();
    CacheConfig config = CacheElement.defaults(CacheKind.LOCAL).toBuilder().store(store).build();
    Refusal.expect(
        () -> CacheDocument.write("c", config, DocumentFormat.XML),
        "attribute=a, character=U+0001, format=XML");
    assertReadAgain(store, DocumentFormat.JSON);
    assertReadAgain(store, DocumentFormat.YAML);
  }

  @Test
  void write_propertyWithoutName_isRefused() {
    StoreConfig store = StoreConfig.named("x").property(" ", "b").build();
    CacheConfig config = CacheElement.defaults(CacheKind.LOCAL).toBuilder().store(store).build();
    Refusal.expect(
        () -> CacheDocument.write("c", config, DocumentFormat.JSON), "property of the store");
  }

  @Test
  void write_severalPropertiesOfOddNames_areAList() {
    StoreConfig store =
        StoreConfig.named("x").property("b", "1").property("A", "2").property("C", "3").build();
    CacheConfig config = CacheElement.defaults(CacheKind.LOCAL).toBuilder().store(store).build();
    String yaml = CacheDocument.write(null, config, DocumentFormat.YAML);
    assertTrue(
        yaml.endsWith(
            """
              persistence:
                store:
                  class: x
                  properties:
                    b: 1
                  property:
                    - name: A
                      value: 2
                    - name: C
                      value: 3
            """),
        yaml);
    String json = CacheDocument.write(null, config, DocumentFormat.JSON);
    assertTrue(
        json.contains(
            "\"properties\":{\"b\":1},\"property\":[{\"name\":\"A\",\"value\":2},"
                + "{\"name\":\"C\",\"value\":3}]"),
        json);
  }

  @Test
  void differences_ofPropertiesOfOddNames_areFoundByName() {
    CacheConfig defaults = CacheElement.defaults(CacheKind.LOCAL);
    StoreConfig store = StoreConfig.named("x").property("A", "1").property("B", "2").build();
    CacheConfig before = defaults.toBuilder().store(store).build();
    CacheConfig after =
        defaults.toBuilder().store(store.toBuilder().property("A", "3").build()).build();
    assertEquals(
        List.of("persistence.store.property[A].value"),
        MutableAttributes.immutableDifferences(before, after));
  }

  @ParameterizedTest
  @EnumSource(DocumentFormat.class)
  void write_columnsOfATable_areReadAgain(DocumentFormat format) {
    StoreConfig.Builder store = StoreConfig.named("jdbc");
    for (String column :
        List.of(
            "id-column",
            "data-column",
            "timestamp-column",
            "segment-column",
            "attributes-column")) {
      store.property(column + ".name", "own");
    }
    assertReadAgain(store.build(), format);
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
