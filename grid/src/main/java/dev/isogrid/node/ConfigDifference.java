package dev.isogrid.node;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.codec.NamedMarshaller;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says how two configurations of a cache differ. */
final class ConfigDifference {
  private ConfigDifference() {}

  /**
   * The attributes that differ, with both values.
   *
   * @return text that follows in an error; empty if there is no difference
   */
  static String text(CacheConfig present, CacheConfig wanted) {
    if (present.equals(wanted)) {
      return "";
    }
    CacheConfig here = asInDocument(present);
    CacheConfig asked = asInDocument(wanted);
    return Arrays.stream(CacheConfig.class.getRecordComponents())
        .filter(each -> !Objects.equals(value(each, here), value(each, asked)))
        .map(each ->
            ", %s is %s, wanted %s"
                .formatted(each.getName(), shown(value(each, here)), shown(value(each, asked))))
        .collect(Collectors.joining());
  }

  /** Without what means nothing in such a cache, and with marshallers by their names. */
  private static CacheConfig asInDocument(CacheConfig config) {
    return NodeCluster.config(NodeCluster.document(config));
  }

  private static @Nullable Object value(RecordComponent component, CacheConfig config) {
    try {
      return component.getAccessor().invoke(config);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("attribute not readable: name=" + component.getName(), e);
    }
  }

  private static Object shown(@Nullable Object value) {
    return switch (value) {
      case null -> "that of the grid";
      case NamedMarshaller named -> named.name();
      default -> value;
    };
  }

  /**
   * A wanted configuration with what nobody asked for as it is present: encoding and marshallers.
   *
   * @param asked what a caller said
   * @param wanted what a cache made by it would have
   */
  static CacheConfig filled(CacheConfig asked, CacheConfig wanted, CacheConfig present) {
    String unknown = CacheConfig.UNKNOWN_MEDIA_TYPE;
    boolean anyKeys = asked.keyMarshaller() == null;
    boolean anyValues = asked.valueMarshaller() == null;
    return wanted.toBuilder()
        .encoding(
            anyKeys && asked.keyMediaType().equals(unknown)
                ? present.keyMediaType()
                : wanted.keyMediaType(),
            anyValues && asked.valueMediaType().equals(unknown)
                ? present.valueMediaType()
                : wanted.valueMediaType())
        .keyMarshaller(anyKeys ? present.keyMarshaller() : wanted.keyMarshaller())
        .valueMarshaller(anyValues ? present.valueMarshaller() : wanted.valueMarshaller())
        .build();
  }
}
