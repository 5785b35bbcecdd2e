package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.LongToDoubleFunction;

/** A {@link LongToDoubleFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableLongToDoubleFunction extends LongToDoubleFunction, Serializable {}
