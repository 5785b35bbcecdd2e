package dev.isogrid.store;

/** A whole array as {@link Bytes}. */
final class ArrayBytes implements Bytes {
  private final byte[] array;

  ArrayBytes(byte[] array) {
    this.array = array;
  }

  @Override
  public int length() {
    return array.length;
  }

  @Override
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(array, 0, target, offset, array.length);
  }

  @Override
  public void writeTo(ByteSink sink) {
    sink.write(array, 0, array.length);
  }
}
