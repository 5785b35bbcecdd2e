package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.IntBinaryOperator;

/** An {@link IntBinaryOperator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableIntBinaryOperator extends IntBinaryOperator, Serializable {}
