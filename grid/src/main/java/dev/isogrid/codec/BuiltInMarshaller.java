package dev.isogrid.codec;

import dev.isogrid.api.Marshaller;
import dev.isogrid.types.ObjectMarshaller;
import dev.isogrid.wire.MediaTypes;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The marshaller of caches that say nothing else. It handles scalars as {@link ScalarMarshaller},
 * without more objects than that, and all else by an {@link ObjectMarshaller}, which gives scalars
 * the same bytes. Thread-safe.
 */
public final class BuiltInMarshaller implements Marshaller<Object> {
  private final Supplier<ObjectMarshaller> making;

  /**
   * Null until the first object that is no scalar. Written by any thread; any of several will do.
   */
  private volatile @Nullable ObjectMarshaller made;

  /**
   * Creates a marshaller.
   *
   * @param making makes the other one when it is needed first, which takes some 0.1 s
   */
  public BuiltInMarshaller(Supplier<ObjectMarshaller> making) {
    this.making = making;
  }

  private ObjectMarshaller objects() {
    ObjectMarshaller known = made;
    if (known == null) {
      known = making.get();
      made = known;
    }
    return known;
  }

  @Override
  public byte[] toBytes(Object object) {
    byte[] bytes = WrappedScalar.of(object);
    return bytes == null ? objects().toBytes(object) : bytes;
  }

  /** Writes the bytes of an object as {@link #toBytes}, scalars without a new array. */
  public void write(Object object, ReusedBytes target) {
    if (!WrappedScalar.tryWrite(object, target)) {
      target.show(objects().toBytes(object));
    }
  }

  @Override
  public Object fromBytes(byte[] bytes) {
    return fromBytes(bytes, 0, bytes.length);
  }

  /**
   * The object that a part of an array stands for; nothing of the array is kept.
   *
   * @throws dev.isogrid.api.InvalidRequestException if it is none
   */
  public Object fromBytes(byte[] array, int offset, int length) {
    Object scalar = WrappedScalar.toObject(array, offset, length);
    return scalar == null ? objects().fromBytes(array, offset, length) : scalar;
  }

  @Override
  public String mediaType() {
    return MediaTypes.PROTOSTREAM;
  }
}
