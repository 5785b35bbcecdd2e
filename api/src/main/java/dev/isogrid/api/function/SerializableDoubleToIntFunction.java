package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.DoubleToIntFunction;

/** A {@link DoubleToIntFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableDoubleToIntFunction extends DoubleToIntFunction, Serializable {}
