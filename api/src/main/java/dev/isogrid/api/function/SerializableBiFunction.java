package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A {@link BiFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableBiFunction<
        T extends @Nullable Object, U extends @Nullable Object, R extends @Nullable Object>
    extends BiFunction<T, U, R>, Serializable {}
