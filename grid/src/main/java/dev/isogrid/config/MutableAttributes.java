package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Expiry;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.base.ForeignConfiguration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The attributes of a cache that can be changed while it exists, by the names that clients use:
 * {@code expiration.lifespan}, {@code expiration.max-idle}, {@code statistics}, and the cache's
 * bound, which is {@code memory.max-count} or {@code memory.max-size}. Pure functions.
 */
public final class MutableAttributes {
  private static final String LIFESPAN = "expiration.lifespan";
  private static final String MAX_IDLE = "expiration.max-idle";
  private static final String MAX_COUNT = "memory.max-count";
  private static final String MAX_SIZE = "memory.max-size";
  private static final String STATISTICS = "statistics";

  /** Stands for the value of an attribute that documents leave out. */
  private static final String LEFT_OUT = "default";

  private MutableAttributes() {}

  /**
   * The mutable attributes with their values: a {@code Long} of milliseconds, entries or bytes, or
   * a {@code Boolean}.
   */
  public static Map<String, Object> of(CacheConfig config) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put(LIFESPAN, config.lifespanMillis());
    attributes.put(MAX_IDLE, config.maxIdleMillis());
    if (config.maxCount() >= 0) {
      attributes.put(MAX_COUNT, config.maxCount());
    }
    if (config.maxSizeBytes() >= 0) {
      attributes.put(MAX_SIZE, config.maxSizeBytes());
    }
    attributes.put(STATISTICS, config.statistics());
    return attributes;
  }

  /**
   * A configuration with another value of one attribute.
   *
   * @param attribute its name, in any spelling
   * @param value in the form of documents, such as {@code 30m} or {@code 64MB}
   * @throws InvalidRequestException if the attribute can't be changed, or not to that value
   */
  public static CacheConfig with(CacheConfig config, String attribute, String value) {
    String name = Names.kebab(attribute);
    if (!of(config).containsKey(name)) {
      throw new InvalidRequestException(
          "attribute can't be changed while the cache exists: attribute=%s; those that can are %s"
              .formatted(Complaint.shown(attribute), String.join(", ", of(config).keySet())));
    }
    CacheConfig.Builder changed = config.toBuilder();
    switch (name) {
      case LIFESPAN -> changed.lifespan(time(name, value), TimeUnit.MILLISECONDS);
      case MAX_IDLE -> changed.maxIdle(time(name, value), TimeUnit.MILLISECONDS);
      case STATISTICS -> changed.statistics(flag(name, value));
      case MAX_COUNT -> changed.maxCount(bound(name, value, count(value)));
      default -> changed.maxSize(bound(name, value, Quantity.sizeBytes(value)));
    }
    return ForeignConfiguration.of(changed::build);
  }

  private static long time(String name, String value) {
    OptionalLong millis = Quantity.timeMillis(value);
    if (millis.isEmpty() || millis.getAsLong() < Expiry.UNLIMITED || millis.getAsLong() == 0) {
      throw invalid(name, value, Quantity.TIME_FORM + ", 1 ms or more, or -1 for no limit");
    }
    return millis.getAsLong();
  }

  private static boolean flag(String name, String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, value, "true or false");
    };
  }

  private static OptionalLong count(String value) {
    try {
      return OptionalLong.of(Long.parseLong(value.strip()));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }

  private static long bound(String name, String value, OptionalLong number) {
    if (number.isEmpty() || number.getAsLong() <= 0) {
      throw invalid(name, value, "a number above 0, since a bound can't be taken away");
    }
    return number.getAsLong();
  }

  private static InvalidRequestException invalid(String name, String value, String allowed) {
    return new InvalidRequestException(
        "invalid attribute value: %s=%s; allowed is %s"
            .formatted(name, Complaint.shown(value), allowed));
  }

  /**
   * An attribute that differs between two configurations of a cache.
   *
   * @param name its path in documents
   * @param before its value in the first, as documents have it; passwords are {@code ***}
   * @param after its value in the second; {@code default} if documents leave it out
   * @param isMutable whether it can be changed so while the cache exists; a bound can't be if only
   *     one of the configurations has it
   */
  public record Difference(String name, String before, String after, boolean isMutable) {}

  /** The immutable attributes that differ between two configurations of a cache. */
  public static List<String> immutableDifferences(CacheConfig before, CacheConfig after) {
    return differences(before, after).stream()
        .filter(difference -> !difference.isMutable)
        .map(Difference::name)
        .toList();
  }

  /** The attributes that differ between two configurations of a cache, by name. */
  public static List<Difference> differences(CacheConfig before, CacheConfig after) {
    Map<String, String> old = flat(before);
    Map<String, String> changed = flat(after);
    Map<String, String> oldShown = flat(shown(before));
    Map<String, String> changedShown = flat(shown(after));
    Set<String> mutable = new HashSet<>(of(before).keySet());
    mutable.retainAll(of(after).keySet());
    return Stream.concat(old.keySet().stream(), changed.keySet().stream())
        .distinct()
        .filter(name -> !Objects.equals(old.get(name), changed.get(name)))
        .sorted()
        .map(name ->
            new Difference(
                name,
                oldShown.getOrDefault(name, LEFT_OUT),
                changedShown.getOrDefault(name, LEFT_OUT),
                mutable.contains(name)))
        .toList();
  }

  private static CacheConfig shown(CacheConfig config) {
    StoreConfig store = config.store();
    return store == null ? config : config.toBuilder().store(StoreElement.hidden(store)).build();
  }

  /** A configuration with the mutable attributes of another one, as far as it has them. */
  public static CacheConfig withThoseOf(CacheConfig config, CacheConfig other) {
    CacheConfig.Builder changed =
        config.toBuilder()
            .statistics(other.statistics())
            .lifespan(other.lifespanMillis(), TimeUnit.MILLISECONDS)
            .maxIdle(other.maxIdleMillis(), TimeUnit.MILLISECONDS);
    if (config.maxCount() >= 0 && other.maxCount() >= 0) {
      changed.maxCount(other.maxCount());
    }
    if (config.maxSizeBytes() >= 0 && other.maxSizeBytes() >= 0) {
      changed.maxSize(other.maxSizeBytes());
    }
    return changed.build();
  }

  /** All attributes of the cache's element and those below, by their paths. */
  private static Map<String, String> flat(CacheConfig config) {
    Map<String, String> attributes = new LinkedHashMap<>();
    Element element = CacheElementWriter.element(config);
    attributes.put("element", element.name());
    flatten("", element, attributes);
    return attributes;
  }

  /** Recurses to the depth of the writer's elements: three levels. */
  private static void flatten(String prefix, Element element, Map<String, String> attributes) {
    element.attributes().forEach(a -> attributes.put(prefix + a.name(), a.value()));
    element.children().forEach(child -> flatten(prefix + step(child) + ".", child, attributes));
  }

  /** The name of a child; of several with one name, with what tells them apart. */
  private static String step(Element child) {
    Element.Attribute name = child.attribute("name");
    return name != null && child.name().equals(StoreElement.PROPERTY)
        ? child.name() + "[" + name.value() + "]"
        : child.name();
  }
}
