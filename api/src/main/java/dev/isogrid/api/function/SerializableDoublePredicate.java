package dev.isogrid.api.function;

import java.io.Serializable;
import java.util.function.DoublePredicate;

/** A {@link DoublePredicate} that can be sent to other nodes. */
@FunctionalInterface
public interface SerializableDoublePredicate extends DoublePredicate, Serializable {}
