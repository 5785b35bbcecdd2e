package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/** An {@link ObjLongConsumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableObjLongConsumer<T extends @Nullable Object>
    extends ObjLongConsumer<T>, Serializable {}
