package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.LongToIntFunction;

/** A {@link LongToIntFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableLongToIntFunction extends LongToIntFunction, Serializable {}
