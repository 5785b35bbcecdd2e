package dev.isogrid.mapreduce;

import dev.isogrid.engine.CacheEngine;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A cache to map, and the conversion of its entries to the user's objects.
 *
 * @param storedKey makes the stored form of a user's key
 * @param hash of a stored key
 * @param key makes the user's form of a key
 * @param value makes the user's form of a value
 * @param isBytes whether the container keeps {@link dev.isogrid.store.BinaryKey} and {@link
 *     dev.isogrid.store.Bytes}
 * @param <S> the stored form of keys
 * @param <T> the stored form of values
 */
public record MapSource<S, T>(
    CacheEngine<S, T> engine,
    Function<Object, S> storedKey,
    ToIntFunction<S> hash,
    Function<S, Object> key,
    Function<T, Object> value,
    boolean isBytes) {}
