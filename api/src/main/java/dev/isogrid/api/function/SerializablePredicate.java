package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A {@link Predicate} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializablePredicate<T extends @Nullable Object>
    extends Predicate<T>, Serializable {}
