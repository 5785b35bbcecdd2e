package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.LongPredicate;

/** A {@link LongPredicate} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableLongPredicate extends LongPredicate, Serializable {}
