package dev.isogrid.config;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.codec.NamedMarshaller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the element of a cache: the inverse of {@link CacheElement}. */
final class CacheElementWriter {
  private CacheElementWriter() {}

  /**
   * The element, without a name.
   *
   * @throws InvalidRequestException if a media type or a role is not valid
   */
  static Element element(CacheConfig config) {
    return element(config, List.of());
  }

  /** The element of a cache with these aliases. */
  static Element element(CacheConfig config, List<String> aliases) {
    CacheKind kind = CacheKind.ofMode(config.mode());
    CacheConfig defaults = CacheElement.defaults(kind);
    Element.Builder builder = builder(kind.elementName());
    if (!aliases.isEmpty()) {
      builder.attribute("aliases", String.join(" ", aliases));
    }
    if (kind.isClustered()) {
      builder.attribute("mode", config.mode() == kind.async() ? "ASYNC" : "SYNC");
    }
    if (kind == CacheKind.DISTRIBUTED || config.owners() != defaults.owners()) {
      builder.attribute("owners", config.owners());
    }
    if (config.minInSync() != defaults.minInSync()) {
      builder.attribute("min-in-sync", config.minInSync());
    }
    if (kind.isClustered() || config.segments() != defaults.segments()) {
      builder.attribute("segments", config.segments());
    }
    builder.attribute("statistics", config.statistics());
    builder.child(encoding(config));
    addExpiration(config, defaults, builder);
    builder.child(MemoryElement.element(config));
    if (kind.isClustered()) {
      addPartitionHandling(config, defaults, builder);
    }
    addSecurity(config, builder);
    if (config.fileStore() != null) {
      builder.child(PersistenceElement.element(config.fileStore()));
    }
    if (config.store() != null) {
      builder.child(PersistenceElement.element(config.store()));
    }
    return builder.build();
  }

  private static void addPartitionHandling(
      CacheConfig config, CacheConfig defaults, Element.Builder builder) {
    boolean isMerging = !config.mergePolicy().equals(defaults.mergePolicy());
    if (!isMerging && config.whenSplit() == defaults.whenSplit()) {
      return;
    }
    Element.Builder partition = builder("partition-handling");
    partition.attribute("when-split", config.whenSplit().name());
    if (isMerging) {
      partition.attribute("merge-policy", config.mergePolicy().name());
    }
    builder.child(partition.build());
  }

  private static void addSecurity(CacheConfig config, Element.Builder builder) {
    CacheAuthorization authorization = config.authorization();
    if (authorization.equals(CacheAuthorization.ALL_ROLES)) {
      return;
    }
    Element.Builder written = builder("authorization");
    written.attribute("enabled", authorization.enabled());
    authorization.roles().forEach(CacheElementWriter::checkRole);
    if (!authorization.roles().isEmpty()) {
      written.attribute("roles", String.join(" ", authorization.roles()));
    }
    builder.child(builder("security").child(written.build()).build());
  }

  /** Refuses a role that would be other roles in a list of them. */
  private static void checkRole(String role) {
    if (!CacheElement.words(role).equals(List.of(role))) {
      throw new InvalidRequestException(
          "cache configuration can't be written: role=%s; use a name without blanks and commas"
              .formatted(Complaint.shown(role)));
    }
  }

  private static Element encoding(CacheConfig config) {
    for (String mediaType : List.of(config.keyMediaType(), config.valueMediaType())) {
      if (!CacheElement.isMediaType(mediaType)) {
        throw new InvalidRequestException(
            "cache configuration can't be written: media-type=%s; use a type/subtype"
                .formatted(Complaint.shown(mediaType)));
      }
    }
    Element.Builder encoding = builder("encoding");
    addMarshaller("key-marshaller", config.keyMarshaller(), encoding);
    addMarshaller("value-marshaller", config.valueMarshaller(), encoding);
    if (config.keyMediaType().equals(config.valueMediaType())) {
      return encoding.attribute("media-type", config.keyMediaType()).build();
    }
    return encoding
        .child(builder("key").attribute("media-type", config.keyMediaType()).build())
        .child(builder("value").attribute("media-type", config.valueMediaType()).build())
        .build();
  }

  private static void addMarshaller(
      String attribute, @Nullable Marshaller<?> marshaller, Element.Builder encoding) {
    if (marshaller != null) {
      encoding.attribute(
          attribute,
          marshaller instanceof NamedMarshaller named
              ? named.name()
              : marshaller.getClass().getName());
    }
  }

  private static void addExpiration(
      CacheConfig config, CacheConfig defaults, Element.Builder builder) {
    Element.Builder expiration = builder("expiration");
    boolean any = false;
    if (config.lifespanMillis() != defaults.lifespanMillis()) {
      expiration.attribute("lifespan", config.lifespanMillis());
      any = true;
    }
    if (config.maxIdleMillis() != defaults.maxIdleMillis()) {
      expiration.attribute("max-idle", config.maxIdleMillis());
      any = true;
    }
    if (config.reaperIntervalMillis() != defaults.reaperIntervalMillis()) {
      expiration.attribute("interval", config.reaperIntervalMillis());
      any = true;
    }
    if (any) {
      builder.child(expiration.build());
    }
  }

  private static Element.Builder builder(String name) {
    return Element.builder(name, Position.START);
  }
}
