package dev.isogrid.store;

import org.jspecify.annotations.Nullable;

/** An entry of an {@link ObjectSegment}: a link of the chain of its place. */
final class ObjectNode {
  final int hash;
  final Object key;

  /** The value, or an {@link Attributed} around it. Written by the lock's holder. */
  volatile Object stored;

  /** Written by the lock's holder in a stamped section. */
  long version;

  /** Written by the lock's holder. */
  volatile @Nullable ObjectNode next;

  ObjectNode(int hash, Object key, Object stored, long version, @Nullable ObjectNode next) {
    this.hash = hash;
    this.key = key;
    this.stored = stored;
    this.version = version;
    this.next = next;
  }

  boolean isMortal() {
    return stored instanceof Attributed attributed && attributed.isMortal();
  }
}
