package dev.isogrid.server.hotrod;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Finds repeated keys within one request: an answer must not contain a key twice, since clients
 * count the different ones. An open-addressed table of places in the request's buffer; at most half
 * full.
 */
final class DistinctKeys {
  private static final int CAPACITY_MIN = 16;

  private final ByteBuf in;

  /** The index of a key's first byte plus 1 for each place, or 0. */
  private int[] indexes = new int[CAPACITY_MIN];

  private int[] lengths = new int[CAPACITY_MIN];
  private int[] hashes = new int[CAPACITY_MIN];
  private int count;

  /**
   * Begins without a key.
   *
   * @param in the buffer of all keys; borrowed
   */
  DistinctKeys(ByteBuf in) {
    this.in = in;
  }

  /** Adds a key; returns false if it was added before. */
  boolean add(Request.Range key, int hash) {
    int mask = indexes.length - 1;
    int place = hash & mask;
    while (indexes[place] != 0) {
      if (hashes[place] == hash
          && lengths[place] == key.length
          && ByteBufUtil.equals(in, indexes[place] - 1, in, key.index, key.length)) {
        return false;
      }
      place = place + 1 & mask;
    }
    put(place, key.index + 1, key.length, hash);
    count++;
    if (2 * count > indexes.length) {
      grow();
    }
    return true;
  }

  private void put(int place, int index, int length, int hash) {
    indexes[place] = index;
    lengths[place] = length;
    hashes[place] = hash;
  }

  private void grow() {
    int[] oldIndexes = indexes;
    int[] oldLengths = lengths;
    int[] oldHashes = hashes;
    int capacity = 2 * oldIndexes.length;
    indexes = new int[capacity];
    lengths = new int[capacity];
    hashes = new int[capacity];
    for (int i = 0; i < oldIndexes.length; i++) {
      if (oldIndexes[i] != 0) {
        int place = oldHashes[i] & capacity - 1;
        while (indexes[place] != 0) {
          place = place + 1 & capacity - 1;
        }
        put(place, oldIndexes[i], oldLengths[i], oldHashes[i]);
      }
    }
  }
}
