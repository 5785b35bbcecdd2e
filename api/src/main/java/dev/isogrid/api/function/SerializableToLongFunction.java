package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A {@link ToLongFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableToLongFunction<T extends @Nullable Object>
    extends ToLongFunction<T>, Serializable {}
