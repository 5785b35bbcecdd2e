package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.IntPredicate;

/** An {@link IntPredicate} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableIntPredicate extends IntPredicate, Serializable {}
