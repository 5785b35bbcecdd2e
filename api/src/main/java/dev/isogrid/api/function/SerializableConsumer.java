package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A {@link Consumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableConsumer<T extends @Nullable Object>
    extends Consumer<T>, Serializable {}
