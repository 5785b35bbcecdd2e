package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** An {@link ObjIntConsumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableObjIntConsumer<T extends @Nullable Object>
    extends ObjIntConsumer<T>, Serializable {}
