package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.IntToLongFunction;

/** An {@link IntToLongFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableIntToLongFunction extends IntToLongFunction, Serializable {}
