package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.LongUnaryOperator;

/** A {@link LongUnaryOperator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableLongUnaryOperator extends LongUnaryOperator, Serializable {}
