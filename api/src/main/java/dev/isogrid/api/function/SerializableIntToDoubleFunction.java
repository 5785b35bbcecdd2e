package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.IntToDoubleFunction;

/** An {@link IntToDoubleFunction} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableIntToDoubleFunction extends IntToDoubleFunction, Serializable {}
