package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.ObjDoubleConsumer;
import org.jspecify.annotations.Nullable;

/** An {@link ObjDoubleConsumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableObjDoubleConsumer<T extends @Nullable Object>
    extends ObjDoubleConsumer<T>, Serializable {}
