package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** An {@link IntFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableIntFunction<R extends @Nullable Object>
    extends IntFunction<R>, Serializable {}
