package dev.isogrid.types;

import java.nio.charset.StandardCharsets;

/** The wrapped message of the values of one class. Thread-safe. */
abstract class WrappedForm {
  /** Writes the fields of the wrapped message. */
  abstract void write(MessageWriter out, Object value);

  /** A type with a name, and one value of it. */
  static final class Named extends WrappedForm {
    private static final int ROOM = 24;

    private final byte[] head;
    private final Codec codec;

    /**
     * Creates one.
     *
     * @param typeId of the type; {@link JavaTypes#NO_ID} if it goes by its name
     */
    Named(String typeName, int typeId, Codec codec) {
      this.codec = codec;
      MessageWriter out = new MessageWriter(typeName.length() + ROOM);
      if (typeId == JavaTypes.NO_ID) {
        out.tag(WrappedTags.TYPE_NAME);
        out.bytes(typeName.getBytes(StandardCharsets.UTF_8));
      } else {
        out.tag(WrappedTags.TYPE_ID);
        out.varint(typeId);
      }
      out.tag(codec.wireType() == MessageWriter.VARINT ? WrappedTags.ENUM : WrappedTags.MESSAGE);
      head = out.takeFrom(0);
    }

    @Override
    void write(MessageWriter out, Object value) {
      out.raw(head);
      codec.write(out, value);
    }
  }
}
