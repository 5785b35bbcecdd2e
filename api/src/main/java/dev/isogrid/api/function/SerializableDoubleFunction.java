package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** A {@link DoubleFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableDoubleFunction<R extends @Nullable Object>
    extends DoubleFunction<R>, Serializable {}
