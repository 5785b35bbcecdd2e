package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.DoubleToLongFunction;

/** A {@link DoubleToLongFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableDoubleToLongFunction extends DoubleToLongFunction, Serializable {}
