package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.IntUnaryOperator;

/** An {@link IntUnaryOperator} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableIntUnaryOperator extends IntUnaryOperator, Serializable {}
