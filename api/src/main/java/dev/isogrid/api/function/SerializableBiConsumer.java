package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A {@link BiConsumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableBiConsumer<T extends @Nullable Object, U extends @Nullable Object>
    extends BiConsumer<T, U>, Serializable {}
