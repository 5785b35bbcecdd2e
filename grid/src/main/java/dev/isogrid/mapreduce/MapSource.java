package dev.isogrid.mapreduce;

import dev.isogrid.engine.CacheEngine;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A cache to be mapped, and how its entries become the user's objects.
 *
 * @param storedKey the container's form of a user's key
 * @param hash of a key in the container's form
 * @param key the user's form of a key
 * @param value the user's form of a value
 * @param isBytes whether the container keeps {@link dev.isogrid.store.BinaryKey} and {@link
 *     dev.isogrid.store.Bytes}
 * @param <S> the container's kind of key
 * @param <T> the container's kind of value
 */
public record MapSource<S, T>(
    CacheEngine<S, T> engine,
    Function<Object, S> storedKey,
    ToIntFunction<S> hash,
    Function<S, Object> key,
    Function<T, Object> value,
    boolean isBytes) {}
