package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.DoubleBinaryOperator;

/** A {@link DoubleBinaryOperator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableDoubleBinaryOperator extends DoubleBinaryOperator, Serializable {}
