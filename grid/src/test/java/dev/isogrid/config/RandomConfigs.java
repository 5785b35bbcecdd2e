package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;
import dev.isogrid.codec.NamedMarshaller;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Makes random configurations and names for documents, odd ones often. */
final class RandomConfigs {
  private static final String[] NAMES = {
    "orders",
    "local-cache",
    "distributedCache",
    "null",
    "~",
    "true",
    "no",
    "12",
    "-",
    "a b",
    " a ",
    "a:b",
    "a: b",
    "#a",
    "a #b",
    "'",
    "\"",
    "\\",
    "&amp;",
    "<a>",
    "]]>",
    "{a}",
    "[a]",
    "*a",
    "!a",
    "%a",
    "@a",
    "`a",
    "$a",
    "größe",
    "日本",
    "😀",
    "\u00A0",
    "x\uFEFF",
    "infinispan",
    "_namespace",
    "xmlns",
    "name",
    "caches",
    "0x1F",
    "1e3",
    ".inf",
    "? a",
    "- a",
    "---",
    "...",
    "<<",
    "=",
  };

  private static final String[] MEDIA_TYPES = {
    CacheConfig.UNKNOWN_MEDIA_TYPE,
    "application/x-protostream",
    "application/octet-stream",
    "application/x-java-object;type=java.lang.String",
    "text/plain; charset=\"UTF-8\"",
    "text/plain;a='b' & <c>",
    "*/*",
  };

  private static final String[] MARSHALLERS = {
    "orders", "com.acme.Orders", "com.acme.Größe$Inner", "com.acme.Outer$$Lambda/0x00007f",
  };

  private RandomConfigs() {}

  static String name(Random random) {
    String name = NAMES[random.nextInt(NAMES.length)];
    return random.nextBoolean() ? name : name + NAMES[random.nextInt(NAMES.length)];
  }

  static CacheConfig config(Random random) {
    CacheMode[] modes = CacheMode.values();
    StorageType[] storages = StorageType.values();
    long lifespan = limit(random);
    long maxIdle = limit(random);
    CacheConfig.Builder builder =
        CacheConfig.builder()
            .mode(modes[random.nextInt(modes.length)])
            .storage(storages[random.nextInt(storages.length)])
            .lifespan(lifespan, TimeUnit.MILLISECONDS)
            .maxIdle(lifespan >= 0 && maxIdle >= lifespan ? -1 : maxIdle, TimeUnit.MILLISECONDS)
            .statistics(random.nextBoolean())
            .encoding(mediaType(random), mediaType(random));
    if (random.nextBoolean()) {
      int owners = 1 + random.nextInt(CacheConfig.OWNERS_MAX);
      builder.owners(owners).minInSync(1 + random.nextInt(owners));
    }
    if (random.nextBoolean()) {
      builder.segments(1 + random.nextInt(CacheConfig.SEGMENTS_MAX));
    }
    if (random.nextInt(4) == 0) {
      builder.keyMarshaller(marshaller(random));
    }
    if (random.nextInt(4) == 0) {
      builder.valueMarshaller(marshaller(random));
    }
    if (random.nextBoolean()) {
      builder.reaperInterval(time(random), TimeUnit.MILLISECONDS);
    }
    addBound(random, builder);
    return builder.build();
  }

  /**
   * Adds a random bound. Without a bound, the action at the bound keeps its default: documents
   * leave it out then.
   */
  private static void addBound(Random random, CacheConfig.Builder builder) {
    switch (random.nextInt(4)) {
      case 0 -> builder.maxCount(1 + random.nextLong(Long.MAX_VALUE));
      case 1 -> builder.maxCount(1 + random.nextInt(1_000));
      case 2 -> builder.maxSize(random.nextLong(CacheConfig.MAX_SIZE_MIN, Long.MAX_VALUE));
      default -> {
        return;
      }
    }
    WhenFull[] all = WhenFull.values();
    builder.whenFull(all[random.nextInt(all.length)]);
  }

  private static String mediaType(Random random) {
    return MEDIA_TYPES[random.nextInt(MEDIA_TYPES.length)];
  }

  private static NamedMarshaller marshaller(Random random) {
    return new NamedMarshaller(MARSHALLERS[random.nextInt(MARSHALLERS.length)]);
  }

  /** A time that ends entries: not 0. */
  private static long limit(Random random) {
    long time = time(random);
    return time == 0 ? 1 : time;
  }

  private static long time(Random random) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> -1;
      case 2 -> 0;
      case 3 -> random.nextInt(100_000);
      case 4 -> random.nextLong();
      default -> Long.MAX_VALUE - random.nextInt(2);
    };
  }
}
