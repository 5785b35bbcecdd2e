package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.DoubleUnaryOperator;

/** A {@link DoubleUnaryOperator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableDoubleUnaryOperator extends DoubleUnaryOperator, Serializable {}
