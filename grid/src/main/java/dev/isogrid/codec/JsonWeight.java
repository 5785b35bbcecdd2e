package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.infinispan.protostream.ProtobufParser;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.TagHandler;
import org.infinispan.protostream.WrappedMessage;
import org.infinispan.protostream.descriptors.Descriptor;
import org.infinispan.protostream.descriptors.EnumValueDescriptor;
import org.infinispan.protostream.descriptors.FieldDescriptor;
import org.infinispan.protostream.descriptors.GenericDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the heap that a message needs while it becomes JSON, in one pass that keeps nothing.
 * The library keeps all tokens until the end, each with its text, and a copy of each message around
 * a wrapped one: two bytes can take kilobytes. For one message by one thread.
 */
final class JsonWeight implements TagHandler {
  /** Shorter messages can't need more than some MiB. */
  static final int LENGTH_UNCHECKED = 4096;

  /** Least limit, for small heaps that many processors share. */
  private static final long LEAST_LIMIT = 32 * 1024 * 1024;

  /** Measured: a field's tokens take 130 B, those of an empty message 180 B. */
  static final int FIELD_BYTES = 180;

  /** Names and texts are in a token, in the text that grows, and in its copies. */
  private static final int CHARACTER_BYTES = 4;

  /** Control characters are written as six. */
  private static final int ESCAPED_BYTES = 6 * CHARACTER_BYTES;

  /** The fields of a wrapping message that came so far. */
  private static final class Wrapper {
    @Nullable GenericDescriptor type;

    /** A message whose type was not there before it. */
    byte @Nullable [] waiting;
  }

  private final SerializationContext context;
  private final long limit;
  private final Deque<Wrapper> wrappers = new ArrayDeque<>();
  private long weight;

  private JsonWeight(SerializationContext context, long limit) {
    this.context = context;
    this.limit = limit;
  }

  /** The limit for each of the threads that convert: all of them may take half of the heap. */
  static long limit() {
    Runtime runtime = Runtime.getRuntime();
    return Math.max(LEAST_LIMIT, runtime.maxMemory() / 2 / runtime.availableProcessors());
  }

  /**
   * Refuses a message that needs too much.
   *
   * @throws InvalidRequestException if its weight is above the limit
   * @throws IOException if the bytes are malformed
   */
  static void check(SerializationContext context, byte[] wrapped, long limit) throws IOException {
    if (wrapped.length > LENGTH_UNCHECKED) {
      Descriptor wrapper = context.getMessageDescriptor(WrappedMessage.PROTOBUF_TYPE_NAME);
      new JsonWeight(context, limit).weigh(wrapper, wrapped);
    }
  }

  private void weigh(Descriptor type, byte[] message) throws IOException {
    add(message.length);
    wrappers.push(new Wrapper());
    ProtobufParser.INSTANCE.parse(this, type, message);
    wrappers.pop();
  }

  private void add(long bytes) {
    weight += bytes;
    if (weight > limit) {
      throw tooHeavy(limit);
    }
  }

  /** The refusal of a message that needs more than a limit. */
  static InvalidRequestException tooHeavy(long limit) {
    return new InvalidRequestException(
        "needs too much memory as JSON: limitBytes=%d; read it as bytes, or make it smaller"
            .formatted(limit));
  }

  @Override
  public void onTag(int number, @Nullable FieldDescriptor field, @Nullable Object value) {
    add(FIELD_BYTES + (long) CHARACTER_BYTES * nameLength(field));
    if (field == null || !WrappedMessage.PROTOBUF_TYPE_NAME.equals(containingType(field))) {
      add(valueBytes(field, value));
    } else {
      onWrapperTag(field, value);
    }
  }

  /** The name of the message with a field; null for entries of maps. */
  private static @Nullable String containingType(FieldDescriptor field) {
    return field.getContainingMessage().getFullName();
  }

  private static int nameLength(@Nullable FieldDescriptor field) {
    return field == null ? 0 : field.getName().length();
  }

  private static long valueBytes(@Nullable FieldDescriptor field, @Nullable Object value) {
    if (value instanceof String text) {
      return text.chars().mapToLong(c -> c < ' ' ? ESCAPED_BYTES : CHARACTER_BYTES).sum();
    }
    if (value instanceof byte[] bytes) {
      return (long) CHARACTER_BYTES * bytes.length;
    }
    if (value instanceof Integer constant && field != null && field.getEnumType() != null) {
      EnumValueDescriptor named = field.getEnumType().findValueByNumber(constant);
      return named == null ? 0 : (long) CHARACTER_BYTES * named.getName().length();
    }
    return 0;
  }

  private void onWrapperTag(FieldDescriptor field, @Nullable Object value) {
    Wrapper wrapper = wrappers.element();
    switch (field.getNumber()) {
      case WrappedMessage.WRAPPED_TYPE_NAME, WrappedMessage.WRAPPED_CONTAINER_TYPE_NAME ->
          onType(wrapper, context.getGenericDescriptors().get(String.valueOf(value)));
      case WrappedMessage.WRAPPED_TYPE_ID, WrappedMessage.WRAPPED_CONTAINER_TYPE_ID ->
          onType(wrapper, value instanceof Integer id ? context.getDescriptorByTypeId(id) : null);
      case WrappedMessage.WRAPPED_MESSAGE, WrappedMessage.WRAPPED_CONTAINER_MESSAGE -> {
        wrapper.waiting = value instanceof byte[] message ? message : null;
        weighWaiting(wrapper);
      }
      default -> add(valueBytes(field, value));
    }
  }

  private void onType(Wrapper wrapper, @Nullable GenericDescriptor type) {
    wrapper.type = type;
    weighWaiting(wrapper);
  }

  private void weighWaiting(Wrapper wrapper) {
    byte[] message = wrapper.waiting;
    if (message != null && wrapper.type instanceof Descriptor type) {
      wrapper.waiting = null;
      try {
        weigh(type, message);
      } catch (IOException malformed) {
        throw new InvalidRequestException(String.valueOf(malformed.getMessage()), malformed);
      }
    }
  }

  @Override
  public void onStartNested(int number, @Nullable FieldDescriptor field) {
    Descriptor type = field == null ? null : field.getMessageType();
    long names = nameLength(field) + (type == null ? 0L : type.getFullName().length());
    add(FIELD_BYTES + CHARACTER_BYTES * names);
    wrappers.push(new Wrapper());
  }

  @Override
  public void onEndNested(int number, @Nullable FieldDescriptor field) {
    wrappers.pop();
  }
}
