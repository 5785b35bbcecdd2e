package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A {@link Comparator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableComparator<T extends @Nullable Object>
    extends Comparator<T>, Serializable {}
