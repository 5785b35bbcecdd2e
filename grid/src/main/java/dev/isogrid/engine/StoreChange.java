package dev.isogrid.engine;

import dev.isogrid.api.StoreEntry;
import org.jspecify.annotations.Nullable;

/**
 * The change of one key that a store must make.
 *
 * @param identity what is equal for equal keys
 * @param key in the store's form
 * @param entry the new one; null to delete what there is
 */
record StoreChange(Object identity, Object key, @Nullable StoreEntry<Object, Object> entry) {
  /** The size of key and value, as far as that can be told: of bytes and text. */
  long bytes() {
    return bytes(key) + (entry == null ? 0 : bytes(entry.value()));
  }

  private static long bytes(Object object) {
    return switch (object) {
      case byte[] array -> array.length;
      case String text -> text.length();
      default -> 0;
    };
  }
}
