package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** A {@link BinaryOperator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableBinaryOperator<T extends @Nullable Object>
    extends BinaryOperator<T>, Serializable {}
