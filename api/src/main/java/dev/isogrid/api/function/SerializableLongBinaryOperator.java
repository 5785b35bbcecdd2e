package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.LongBinaryOperator;

/** A {@link LongBinaryOperator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableLongBinaryOperator extends LongBinaryOperator, Serializable {}
