package dev.isogrid.api;

/**
 * A store of bytes: it gets keys and values as the cache keeps them, or as the marshallers of the
 * cache make them if the cache keeps objects. The arrays belong to the store during a call only,
 * and those that it hands out belong to the caller.
 */
public interface BytesStore extends CacheStore<byte[], byte[]> {}
