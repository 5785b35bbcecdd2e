package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A {@link LongFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableLongFunction<R extends @Nullable Object>
    extends LongFunction<R>, Serializable {}
