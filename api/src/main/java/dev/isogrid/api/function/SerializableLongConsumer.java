package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.LongConsumer;

/** A {@link LongConsumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableLongConsumer extends LongConsumer, Serializable {}
