package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@link Function} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableFunction<T extends @Nullable Object, R extends @Nullable Object>
    extends Function<T, R>, Serializable {}
