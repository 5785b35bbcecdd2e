package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A {@link ToIntFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableToIntFunction<T extends @Nullable Object>
    extends ToIntFunction<T>, Serializable {}
