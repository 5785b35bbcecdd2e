package dev.isogrid.server.hotrod;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.server.task.TaskValues;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.MediaTypes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lays out key, value and previous value as one object, in the data format of a client. Immutable.
 *
 * <pre>
 * ProtoStream   WrappedMessage: 16 string, the name of the type; 17 bytes, its message:
 *                 1 bytes, the key; 2 bytes, the value; 3 bytes, the value before;
 *                 each a WrappedMessage as clients write it, empty if there is none
 * JSON          {"_type":"...","key":...,"value":...,"prev":...}
 * text          KeyValueWithPrevious{key=..., value=..., prev=...}
 * </pre>
 *
 * @param keyType the media type of keys, without parameters
 * @param valueType the media type of values, without parameters
 */
record KeyValuePrevious(String keyType, String valueType) {
  private static final String PROTO_NAME = "org.infinispan.global.commons.KeyValueWithPrevious";
  private static final String JSON_NAME = "org.infinispan.commons.util.KeyValueWithPrevious";

  private static final int DELIMITED = 2;
  private static final int TYPE_NAME_TAG = 16 << 3 | DELIMITED;
  private static final int MESSAGE_TAG = 17 << 3 | DELIMITED;
  private static final int KEY_TAG = 1 << 3 | DELIMITED;
  private static final int VALUE_TAG = 2 << 3 | DELIMITED;
  private static final int PREVIOUS_TAG = 3 << 3 | DELIMITED;

  private static final byte[] NOTHING = {};

  /** Checks that there is a layout for the formats. */
  KeyValuePrevious {
    boolean isProto = valueType.equals(MediaTypes.PROTOSTREAM);
    boolean hasLayout = isProto ? keyType.equals(valueType) : isText(keyType) && isText(valueType);
    if (!hasLayout) {
      throw new InvalidRequestException(
          "no layout for events in these formats: converter=%s, keys=%s, values=%s; use ProtoStream"
                  .formatted(HotRod.KEY_VALUE_PREVIOUS_CONVERTER, keyType, valueType)
              + " for both, or JSON or text");
    }
  }

  private static boolean isText(String mediaType) {
    return mediaType.equals(MediaTypes.JSON) || mediaType.startsWith("text/");
  }

  /** The object as bytes of the client's format; null stands for nothing. */
  byte[] bytes(byte[] key, byte @Nullable [] value, byte @Nullable [] previous) {
    if (valueType.equals(MediaTypes.PROTOSTREAM)) {
      return proto(key, value == null ? NOTHING : value, previous == null ? NOTHING : previous);
    }
    String text =
        valueType.equals(MediaTypes.JSON)
            ? "{\"_type\":\"%s\",\"key\":%s,\"value\":%s,\"prev\":%s}"
                .formatted(JSON_NAME, json(key, keyType), json(value), json(previous))
            : "KeyValueWithPrevious{key=%s, value=%s, prev=%s}"
                .formatted(text(key), text(value), text(previous));
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String json(byte @Nullable [] content) {
    return content == null ? "null" : json(content, valueType);
  }

  private static String json(byte[] content, String mediaType) {
    String text = text(content);
    return mediaType.equals(MediaTypes.JSON) ? text : TaskValues.json(text);
  }

  private static String text(byte @Nullable [] content) {
    return content == null ? "null" : new String(content, StandardCharsets.UTF_8);
  }

  private static byte[] proto(byte[] key, byte[] value, byte[] previous) {
    ByteBuf message = Unpooled.buffer();
    field(message, KEY_TAG, key);
    field(message, VALUE_TAG, value);
    field(message, PREVIOUS_TAG, previous);
    ByteBuf wrapped = Unpooled.buffer();
    field(wrapped, TYPE_NAME_TAG, PROTO_NAME.getBytes(StandardCharsets.UTF_8));
    field(wrapped, MESSAGE_TAG, ByteBufUtil.getBytes(message));
    return ByteBufUtil.getBytes(wrapped);
  }

  private static void field(ByteBuf out, int tag, byte[] content) {
    WireWriter.vInt(out, tag);
    WireWriter.bytes(out, content);
  }
}
