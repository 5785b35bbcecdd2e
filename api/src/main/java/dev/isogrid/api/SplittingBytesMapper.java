package dev.isogrid.api;

import java.nio.ByteBuffer;
import java.util.Objects;

/** A mapper and a splitter that make one; see {@link BytesMapper#splitting}. */
record SplittingBytesMapper<A, B>(BytesMapper<A, B> mapper, BytesSplitter splitter)
    implements BytesMapper<A, B> {
  SplittingBytesMapper {
    Objects.requireNonNull(mapper);
    Objects.requireNonNull(splitter);
  }

  @Override
  public void map(ByteBuffer key, ByteBuffer value, Collector<A, B> out) throws Exception {
    mapper.map(key, value, out);
  }

  @Override
  public int splitPoint(ByteBuffer value, int from) {
    return splitter.splitPoint(value, from);
  }
}
