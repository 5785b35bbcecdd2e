package dev.isogrid.config;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.config.Section.ValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes stores outside of the grid: those in databases, and those of users. */
final class StoreElement {
  /*
   * A store is a type and properties. The attributes of a database's elements become properties
   * with the names of the attributes. The name of the child precedes them, except for the child of
   * the connections.
   */
  static final String JDBC = "string-keyed-jdbc-store";
  static final String JDBC_ALIAS = "jdbc-store";
  static final String OWN = "store";

  /** The child that is repeated, for each property with a name that no attribute can have. */
  static final String PROPERTY = "property";

  /** The type of stores in databases. */
  private static final String JDBC_TYPE = "jdbc";

  private static final String POOL = "connection-pool";
  private static final String SOURCE = "data-source";
  private static final String TABLE = "string-keyed-table";
  private static final String BEHIND = "write-behind";
  private static final String HIDDEN = "***";
  private static final String PROPERTIES = "properties";

  /** Names that stay the same when they become camel-case and kebab-case again. */
  private static final Pattern ATTRIBUTE = Pattern.compile("[a-z][a-z0-9]*([.-][a-z][a-z0-9]*)*");

  /** Longer names are no simple keys in YAML. */
  private static final int ATTRIBUTE_LENGTH_MAX = 200;

  /** Names with a meaning of their own: in XML, in YAML, and as a child. */
  private static final Set<String> NO_ATTRIBUTES = Set.of("xmlns", "null", PROPERTY);

  /** Such as {@code password=x}, {@code sslpassword=x} and {@code pwd=x}. */
  private static final Pattern PASSWORD_PARAMETER =
      Pattern.compile("(?i)((?:password|passwd|pwd|secret|token)\\s*=\\s*)[^&;,)\\s]*");

  /** Such as {@code //user:x@host} and {@code thin:user/x@host}. */
  private static final Pattern PASSWORD_OF_USER =
      Pattern.compile("([:/][^:/@\\s]*[:/])[^:/@\\s]+@");

  private static final List<String> CONNECTION =
      List.of("connection-url", "username", "password", "driver");
  private static final List<String> POOL_SIZES = List.of("max-size", "min-size");
  private static final List<String> TABLE_ATTRIBUTES =
      List.of("prefix", "create-on-start", "drop-on-exit");
  private static final List<String> COLUMNS =
      List.of(
          "id-column", "data-column", "timestamp-column", "segment-column", "attributes-column");

  private StoreElement() {}

  /** Reads the element of a store in a database. */
  static StoreConfig jdbc(Section store) {
    StoreConfig.Builder builder = StoreConfig.named(JDBC_TYPE);
    copy(store, "dialect", "dialect", builder);
    store.refuse("key-to-string-mapper", "db-major-version", "db-minor-version");
    for (String name : List.of(POOL, "simple-connection")) {
      Section connection = store.child(name);
      if (connection != null) {
        CONNECTION.forEach(each -> copy(connection, each, each, builder));
        POOL_SIZES.forEach(each -> copy(connection, each, "pool." + each, builder));
        connection.refuse("properties-file");
        connection.finish();
      }
    }
    Section source = store.child(SOURCE);
    if (source != null) {
      copy(source, "jndi-url", SOURCE + ".jndi-url", builder);
      source.finish();
    }
    Section table = store.child(TABLE);
    if (table != null) {
      readTable(table, builder);
    }
    return common(store, builder);
  }

  private static void readTable(Section table, StoreConfig.Builder builder) {
    TABLE_ATTRIBUTES.forEach(each -> copy(table, each, "table." + each, builder));
    table.ignore(ValueType.NUMBER, "fetch-size", "batch-size");
    for (String name : COLUMNS) {
      Section column = table.child(name);
      if (column != null) {
        copy(column, "name", name + ".name", builder);
        if (name.equals("id-column") || name.equals("data-column")) {
          copy(column, "type", name + ".type", builder);
        } else {
          column.ignore(ValueType.TEXT, "type"); // the dialect's
        }
        column.finish();
      }
    }
    table.finish();
  }

  private static void copy(
      Section section, String attribute, String property, StoreConfig.Builder builder) {
    String value = section.name(attribute);
    if (value != null) {
      builder.property(property, value);
    }
  }

  /** Reads the element of a user's store. */
  static StoreConfig own(Section store) {
    String type = store.name("class");
    if (type == null) {
      throw store.invalid("class", "the name of a class, or of a kind of store");
    }
    Map<String, String> properties = new HashMap<>();
    Section together = store.child(PROPERTIES);
    if (together != null) {
      for (Element.Attribute attribute : together.element().attributes()) {
        addProperty(together, attribute.name(), together.text(attribute.name()), properties);
      }
      together.children(PROPERTY).forEach(property -> readProperty(property, properties));
      together.finish();
    }
    store.children(PROPERTY).forEach(property -> readProperty(property, properties));
    StoreConfig.Builder builder = StoreConfig.named(type);
    properties.forEach(builder::property);
    return common(store, builder);
  }

  private static void readProperty(Section property, Map<String, String> properties) {
    String name = property.name("name");
    if (name == null) {
      throw property.invalid("name", "the name of a property");
    }
    String value = property.text("value");
    addProperty(property, name, value == null ? property.content() : value, properties);
    property.finish();
  }

  private static void addProperty(
      Section section, String name, @Nullable String value, Map<String, String> properties) {
    if (properties.putIfAbsent(name, value == null ? "" : value) != null) {
      throw Complaint.malformed(
          "property twice: name=" + Complaint.shown(name), section.element().position());
    }
  }

  private static StoreConfig common(Section store, StoreConfig.Builder builder) {
    store.only("transactional", false);
    store.only("write-only", false);
    store.ignore(ValueType.BOOLEAN, "segmented");
    store.ignore(ValueType.NUMBER, "read-size");
    int batch = store.number("max-batch-size", 1, 100_000, WriteBehind.DEFAULT.batchMax());
    Section behind = store.child(BEHIND);
    if (behind == null && store.has("max-batch-size")) {
      store.notes().ignored(store.path() + "@max-batch-size"); // each write is a batch
    }
    builder
        .shared(store.flag("shared", false))
        .preload(store.flag("preload", false))
        .purge(store.flag("purge", false))
        .readOnly(store.flag("read-only", false))
        .writeBehind(behind(behind, batch));
    store.finish();
    return builder.build();
  }

  private static @Nullable WriteBehind behind(@Nullable Section behind, int batch) {
    if (behind == null) {
      return null;
    }
    behind.only("fail-silently", false);
    behind.ignore(ValueType.NUMBER, "thread-pool-size");
    WriteBehind defaults = WriteBehind.DEFAULT;
    WriteBehind read =
        defaults
            .queueMax(behind.number("modification-queue-size", 1, 100_000_000, defaults.queueMax()))
            .batchMax(batch)
            .timeout(Duration.ofMillis(behind.timeMillis("timeout", 1, defaults.timeoutMillis())));
    behind.finish();
    return read;
  }

  // ---- writing

  /** Returns the element of a store. */
  static Element element(StoreConfig store) {
    boolean isJdbc = store.type().equals(JDBC_TYPE);
    Element.Builder written = builder(isJdbc ? JDBC : OWN);
    flag(written, "shared", store.isShared());
    flag(written, "preload", store.isPreloaded());
    flag(written, "purge", store.isPurged());
    flag(written, "read-only", store.isReadOnly());
    WriteBehind behind = store.writeBehind();
    if (behind != null && behind.batchMax() != WriteBehind.DEFAULT.batchMax()) {
      written.attribute("max-batch-size", behind.batchMax());
    }
    if (isJdbc) {
      addJdbc(store, written);
    } else {
      addOwn(store, written);
    }
    if (behind != null) {
      written.child(
          builder(BEHIND)
              .attribute("modification-queue-size", behind.queueMax())
              .attribute("timeout", behind.timeoutMillis())
              .build());
    }
    return written.build();
  }

  /** Writes an attribute if it holds. */
  private static void flag(Element.Builder written, String name, boolean holds) {
    if (holds) {
      written.attribute(name, true);
    }
  }

  private static void addOwn(StoreConfig store, Element.Builder written) {
    Object given = store.store();
    written.attribute("class", given == null ? store.type() : given.getClass().getName());
    Element.Builder together = builder(PROPERTIES);
    List<Element> others = new ArrayList<>();
    boolean hasTogether = false;
    for (Map.Entry<String, String> each : new TreeMap<>(store.properties()).entrySet()) {
      if (isAttribute(each.getKey())) {
        together.attribute(each.getKey(), each.getValue());
        hasTogether = true;
      } else {
        others.add(property(each.getKey(), each.getValue()));
      }
    }
    if (hasTogether) {
      written.child(together.build());
    }
    others.forEach(written::child);
  }

  /** Whether each format reads a name as the same again if it is that of an attribute. */
  private static boolean isAttribute(String name) {
    return name.length() <= ATTRIBUTE_LENGTH_MAX
        && ATTRIBUTE.matcher(name).matches()
        && !NO_ATTRIBUTES.contains(name);
  }

  private static Element property(String name, String value) {
    if (name.isBlank()) {
      throw new InvalidRequestException(
          "cache configuration can't be written: a property of the store has no name; name it");
    }
    return builder(PROPERTY).attribute("name", name).attribute("value", value).build();
  }

  private static void addJdbc(StoreConfig store, Element.Builder written) {
    Map<String, String> from = store.properties();
    add(from, "", List.of("dialect"), written);
    Element.Builder pool = builder(POOL);
    boolean hasConnection = add(from, "", CONNECTION, pool);
    boolean hasSizes = add(from, "pool.", POOL_SIZES, pool);
    if (hasConnection || hasSizes) {
      written.child(pool.build());
    }
    Element.Builder source = builder(SOURCE);
    if (add(from, SOURCE + ".", List.of("jndi-url"), source)) {
      written.child(source.build());
    }
    Element.Builder table = builder(TABLE);
    boolean hasTable = add(from, "table.", TABLE_ATTRIBUTES, table);
    for (String name : COLUMNS) {
      Element.Builder column = builder(name);
      if (add(from, name + ".", List.of("name", "type"), column)) {
        table.child(column.build());
        hasTable = true;
      }
    }
    if (hasTable) {
      written.child(table.build());
    }
  }

  private static boolean add(
      Map<String, String> from, String prefix, List<String> names, Element.Builder to) {
    boolean hasAny = false;
    for (String name : names) {
      String value = from.get(prefix + name);
      if (value != null) {
        to.attribute(name, value);
        hasAny = true;
      }
    }
    return hasAny;
  }

  private static Element.Builder builder(String name) {
    return Element.builder(name, Position.START);
  }

  /** The same store without passwords, for readers who must not have them. */
  static StoreConfig hidden(StoreConfig store) {
    StoreConfig.Builder builder = store.toBuilder();
    store
        .properties()
        .forEach((name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          boolean isSecret = lower.contains("password") || lower.contains("secret");
          builder.property(name, isSecret ? HIDDEN : withoutPasswords(value));
        });
    return builder.build();
  }

  /** A URL can hold a password as a parameter, or before the name of the host. */
  private static String withoutPasswords(String value) {
    String plain = PASSWORD_PARAMETER.matcher(value).replaceAll("$1" + HIDDEN);
    return PASSWORD_OF_USER.matcher(plain).replaceAll("$1" + HIDDEN + "@");
  }
}
