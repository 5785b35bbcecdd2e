package dev.isogrid.config;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.CacheMode;
import dev.isogrid.api.Compression;
import dev.isogrid.api.FileStore;
import dev.isogrid.api.Fsync;
import dev.isogrid.api.MergePolicy;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.StoreConfig;
import dev.isogrid.api.WhenFull;
import dev.isogrid.api.WhenSplit;
import dev.isogrid.api.WriteBehind;
import dev.isogrid.codec.NamedMarshaller;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

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

  private static final String[] PATHS = {"a", "a b/c", "/größe", "${a}", "\"a\"&<b>", "~", "true"};

  private static final List<MergePolicy> MERGE_POLICIES =
      List.of(
          MergePolicy.NONE,
          MergePolicy.PREFERRED_ALWAYS,
          MergePolicy.PREFERRED_NON_NULL,
          MergePolicy.REMOVE_ALL,
          MergePolicy.of("com.acme.Größe$Inner"));

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
    CacheConfig config = builder.build();
    addSplit(random, config, builder);
    if (random.nextInt(4) == 0) {
      List<String> roles = random.nextBoolean() ? List.of() : List.of("größe", "a-1", "b");
      builder.authorization(new CacheAuthorization(random.nextBoolean(), roles));
    }
    if (config.storage() != StorageType.HEAP_OBJECT && random.nextInt(4) == 0) {
      builder.compression(Compression.DICTIONARY);
    }
    switch (random.nextInt(4)) {
      case 0 -> builder.fileStore(fileStore(random));
      case 1 -> builder.store(store(random));
      default -> {}
    }
    return builder.build();
  }

  /** Adds what a side of a split does; documents of local caches leave it out. */
  private static void addSplit(Random random, CacheConfig config, CacheConfig.Builder builder) {
    if (config.mode() == CacheMode.LOCAL) {
      return;
    }
    WhenSplit[] all = WhenSplit.values();
    builder.whenSplit(all[random.nextInt(all.length)]);
    builder.mergePolicy(MERGE_POLICIES.get(random.nextInt(MERGE_POLICIES.size())));
  }

  private static FileStore fileStore(Random random) {
    Fsync[] all = Fsync.values();
    boolean isPurged = random.nextInt(4) == 0;
    return FileStore.builder()
        .path(random.nextBoolean() ? null : PATHS[random.nextInt(PATHS.length)])
        .fsync(all[random.nextInt(all.length)])
        .fsyncInterval(Duration.ofMillis(1 + random.nextLong(Long.MAX_VALUE)))
        .retention(Duration.ofMillis(random.nextInt(100_000)))
        .purge(isPurged)
        .build();
  }

  private static StoreConfig store(Random random) {
    boolean isReadOnly = random.nextInt(4) == 0;
    StoreConfig.Builder store =
        StoreConfig.named(MARSHALLERS[random.nextInt(MARSHALLERS.length)])
            .shared(random.nextBoolean())
            .preload(random.nextBoolean())
            .readOnly(isReadOnly);
    if (!isReadOnly) {
      store.purge(random.nextBoolean()).writeBehind(writeBehind(random));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      store.property("p" + name(random), name(random));
    }
    return store.build();
  }

  private static @Nullable WriteBehind writeBehind(Random random) {
    return random.nextBoolean()
        ? null
        : new WriteBehind(
            1 + random.nextInt(100_000_000),
            1 + random.nextInt(100_000),
            1 + random.nextLong(Long.MAX_VALUE));
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
