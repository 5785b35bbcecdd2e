package dev.isogrid.config;

import dev.isogrid.api.CacheMode;
import org.jspecify.annotations.Nullable;

/** The kinds of caches in documents, each with an element of its own. */
enum CacheKind {
  LOCAL("local-cache", CacheMode.LOCAL, CacheMode.LOCAL),
  REPLICATED("replicated-cache", CacheMode.REPL_SYNC, CacheMode.REPL_ASYNC),
  DISTRIBUTED("distributed-cache", CacheMode.DIST_SYNC, CacheMode.DIST_ASYNC),
  INVALIDATION("invalidation-cache", CacheMode.INVALIDATION_SYNC, CacheMode.INVALIDATION_ASYNC);

  /** The suffix of the names of elements that define a template. */
  static final String TEMPLATE_SUFFIX = "-configuration";

  private final String elementName;
  private final CacheMode sync;
  private final CacheMode async;

  CacheKind(String elementName, CacheMode sync, CacheMode async) {
    this.elementName = elementName;
    this.sync = sync;
    this.async = async;
  }

  /** The kind that an element defines, as a cache or a template; null if it defines neither. */
  static @Nullable CacheKind ofElement(String name) {
    for (CacheKind kind : values()) {
      if (name.equals(kind.elementName) || name.equals(kind.elementName + TEMPLATE_SUFFIX)) {
        return kind;
      }
    }
    return null;
  }

  static CacheKind ofMode(CacheMode mode) {
    return switch (mode) {
      case LOCAL -> LOCAL;
      case REPL_SYNC, REPL_ASYNC -> REPLICATED;
      case DIST_SYNC, DIST_ASYNC -> DISTRIBUTED;
      case INVALIDATION_SYNC, INVALIDATION_ASYNC -> INVALIDATION;
    };
  }

  String elementName() {
    return elementName;
  }

  boolean isClustered() {
    return this != LOCAL;
  }

  CacheMode sync() {
    return sync;
  }

  CacheMode async() {
    return async;
  }
}
