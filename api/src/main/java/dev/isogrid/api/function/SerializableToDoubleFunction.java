package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A {@link ToDoubleFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableToDoubleFunction<T extends @Nullable Object>
    extends ToDoubleFunction<T>, Serializable {}
