package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.IntConsumer;

/** An {@link IntConsumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableIntConsumer extends IntConsumer, Serializable {}
