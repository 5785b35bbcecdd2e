package dev.isogrid.config;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.Compression;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.StorageType;
import dev.isogrid.api.WhenFull;

/**
 * The element {@code memory} of a cache: the storage of entries, their bound, and the action at the
 * bound.
 *
 * <p>The attributes are {@code storage}, {@code compression}, one of the bounds {@code max-count}
 * and {@code max-size}, and {@code when-full}. A bound without the latter, or with {@code NONE},
 * removes entries; {@code REMOVE} and {@code EXCEPTION} need a bound.
 */
final class MemoryElement {
  static final String NAME = "memory";

  private static final String STORAGE = "storage";
  private static final String COMPRESSION = "compression";
  private static final String MAX_COUNT = "max-count";
  private static final String MAX_SIZE = "max-size";
  private static final String WHEN_FULL = "when-full";

  private static final String HEAP = "HEAP";
  private static final String HEAP_BINARY = "HEAP_BINARY";
  private static final String HEAP_OBJECT = "HEAP_OBJECT";
  private static final String OFF_HEAP = "OFF_HEAP";

  private static final String NONE = "NONE";
  private static final String DICTIONARY = "DICTIONARY";
  private static final String REMOVE = "REMOVE";
  private static final String EXCEPTION = "EXCEPTION";

  private MemoryElement() {}

  /**
   * Reads the element to its end.
   *
   * @param base the inherited configuration
   * @param allowsObjects whether storage as references to objects is permitted
   * @param builder receives the attributes
   */
  static void read(
      Section memory, CacheConfig base, boolean allowsObjects, CacheConfig.Builder builder) {
    StorageType storage = storage(memory, base.storage(), allowsObjects);
    builder.storage(storage).compression(compression(memory, base.compression(), storage));
    long maxCount = memory.wholeNumber(MAX_COUNT, CacheConfig.UNBOUNDED, base.maxCount());
    if (maxCount == 0) {
      throw memory.invalid(MAX_COUNT, "1 or more entries, or -1 for no bound");
    }
    long maxSize = maxSize(memory, base.maxSizeBytes());
    if (maxCount >= 0 && maxSize >= 0) {
      throw bothBounds(memory, maxCount, maxSize);
    }
    builder.maxCount(maxCount).maxSize(maxSize);
    builder.whenFull(whenFull(memory, base.whenFull(), maxCount >= 0 || maxSize >= 0));
    memory.refuse("eviction-container");
    memory.finish();
  }

  private static StorageType storage(Section memory, StorageType base, boolean allowsObjects) {
    String storage = memory.choice(STORAGE, "", HEAP, HEAP_BINARY, HEAP_OBJECT, OFF_HEAP);
    return switch (storage) {
      case "" -> base;
      case OFF_HEAP -> StorageType.OFF_HEAP;
      case HEAP_OBJECT -> {
        if (!allowsObjects) {
          throw memory.invalid(
              STORAGE, "OFF_HEAP, HEAP or HEAP_BINARY, since a server keeps bytes");
        }
        yield StorageType.HEAP_OBJECT;
      }
      default -> StorageType.HEAP_BINARY;
    };
  }

  private static Compression compression(Section memory, Compression base, StorageType storage) {
    String word = memory.choice(COMPRESSION, base.name(), NONE, DICTIONARY);
    if (word.equals(NONE)) {
      return Compression.NONE;
    }
    if (storage == StorageType.HEAP_OBJECT) {
      throw memory.invalid(COMPRESSION, "NONE for a cache of objects; use OFF_HEAP or HEAP_BINARY");
    }
    return Compression.DICTIONARY;
  }

  private static long maxSize(Section memory, long base) {
    String text = memory.text(MAX_SIZE);
    if (text != null && text.strip().equals("-1")) {
      return CacheConfig.UNBOUNDED;
    }
    Long size = memory.sizeBytes(MAX_SIZE, CacheConfig.MAX_SIZE_MIN, Long.MAX_VALUE);
    return size == null ? base : size;
  }

  private static InvalidRequestException bothBounds(Section memory, long maxCount, long maxSize) {
    String attribute = memory.has(MAX_SIZE) ? MAX_SIZE : MAX_COUNT;
    return memory.invalid(
        attribute,
        "one bound: max-count=%d or max-size=%d; -1 takes one away".formatted(maxCount, maxSize));
  }

  private static WhenFull whenFull(Section memory, WhenFull base, boolean bounded) {
    if (!memory.has(WHEN_FULL)) {
      return bounded ? base : WhenFull.REMOVE;
    }
    if ("MANUAL".equalsIgnoreCase(memory.text(WHEN_FULL))) {
      memory.only(WHEN_FULL, NONE, "MANUAL");
    }
    String word = memory.choice(WHEN_FULL, NONE, NONE, "MANUAL", REMOVE, EXCEPTION);
    if (!bounded && !word.equals(NONE)) {
      throw memory.invalid(WHEN_FULL, "NONE without a bound; set max-count or max-size");
    }
    return word.equals(EXCEPTION) ? WhenFull.EXCEPTION : WhenFull.REMOVE;
  }

  /** The element of a configuration: the inverse of {@link #read}. */
  static Element element(CacheConfig config) {
    Element.Builder memory = Element.builder(NAME, Position.START);
    memory.attribute(
        STORAGE,
        switch (config.storage()) {
          case HEAP_OBJECT -> HEAP_OBJECT;
          case HEAP_BINARY -> HEAP;
          case OFF_HEAP -> OFF_HEAP;
        });
    if (config.compression() != Compression.NONE) {
      memory.attribute(COMPRESSION, config.compression().name());
    }
    if (config.maxCount() >= 0) {
      memory.attribute(MAX_COUNT, config.maxCount());
    }
    if (config.maxSizeBytes() >= 0) {
      memory.attribute(MAX_SIZE, config.maxSizeBytes());
    }
    if (config.isBounded()) {
      memory.attribute(
          WHEN_FULL,
          switch (config.whenFull()) {
            case REMOVE -> REMOVE;
            case EXCEPTION -> EXCEPTION;
          });
    }
    return memory.build();
  }
}
