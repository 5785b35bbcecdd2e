package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@link Supplier} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableSupplier<T extends @Nullable Object>
    extends Supplier<T>, Serializable {}
