package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.DoubleConsumer;

/** A {@link DoubleConsumer} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableDoubleConsumer extends DoubleConsumer, Serializable {}
