package dev.isogrid.engine;

/** A key that belongs to a scope, all entries of which can be removed at once. Immutable. */
public interface ScopedKey {
  /** The scope, with {@code equals} and {@code hashCode}; never a {@code ScopedKey} itself. */
  Object scope();
}
