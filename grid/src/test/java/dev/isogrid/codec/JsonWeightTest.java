package dev.isogrid.codec;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.types.ObjectMarshaller;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.WrappedMessage;
import org.infinispan.protostream.types.java.CommonContainerTypesSchema;
import org.junit.jupiter.api.Test;

class JsonWeightTest {
  private static final int MANY = 10_000;
  private static final String SCHEMA =
      """
      package p;
      /** @TypeId(70000) */
      message M { optional M m = 1; repeated int32 i = 2; optional string s = 3; repeated E e = 4; }
      enum E { %s = 0; }
      """
          .formatted("LONG_NAME".repeat(20));

  private final SerializationContext context = ProtobufUtil.newSerializationContext();

  JsonWeightTest() {
    new CommonContainerTypesSchema().registerSchema(context);
    context.registerProtoFiles(FileDescriptorSource.fromString("p.proto", SCHEMA));
  }

  private static void number(ByteArrayOutputStream target, int number) {
    int rest = number;
    for (; rest > 0x7f; rest >>>= 7) {
      target.write((rest & 0x7f) | 0x80);
    }
    target.write(rest);
  }

  private static byte[] field(int field, byte[] value) {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    number(target, (field << 3) | 2);
    number(target, value.length);
    target.writeBytes(value);
    return target.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      target.writeBytes(part);
    }
    return target.toByteArray();
  }

  private static byte[] type(String name) {
    return field(WrappedMessage.WRAPPED_TYPE_NAME, name.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] message(byte[] message) {
    return field(WrappedMessage.WRAPPED_MESSAGE, message);
  }

  private static byte[] repeated(byte[] part) {
    return joined(Collections.nCopies(MANY, part).toArray(byte[][]::new));
  }

  /** The bytes of wrapped messages within each other, made from the inside out. */
  private static byte[] wrappedWithinEachOther(int levels) {
    List<byte[]> heads = new ArrayList<>();
    int length = 0;
    for (int i = 0; i < levels; i++) {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      head.writeBytes(type(WrappedMessage.PROTOBUF_TYPE_NAME));
      number(head, (WrappedMessage.WRAPPED_MESSAGE << 3) | 2);
      number(head, length);
      heads.add(head.toByteArray());
      length += head.size();
    }
    return joined(heads.reversed().toArray(byte[][]::new));
  }

  private void assertWeight(long least, long most, byte[] wrapped) {
    assertDoesNotThrow(() -> JsonWeight.check(context, wrapped, most));
    InvalidRequestException refusal =
        assertThrows(
            InvalidRequestException.class, () -> JsonWeight.check(context, wrapped, least));
    assertTrue(String.valueOf(refusal.getMessage()).contains("limitBytes=" + least));
  }

  @Test
  void wrappedMessagesWithinEachOther_areRefused_beforeTheyAreCopied() {
    byte[] wrapped = wrappedWithinEachOther(50_000);
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> Schemas.of(Map.of()).toJson(wrapped));
    assertTrue(
        String.valueOf(refusal.getMessage()).contains("needs too much memory as JSON"),
        refusal::getMessage);
  }

  @Test
  void fields_countWithTheirNamesAndValues() {
    byte[] empties = repeated(new byte[] {0x0a, 0});
    assertWeight(180 * MANY, 220 * MANY, joined(type("p.M"), message(empties)));
    byte[] numbers = repeated(new byte[] {0x10, 1});
    assertWeight(180 * MANY, 220 * MANY, joined(type("p.M"), message(numbers)));
    byte[] names = repeated(new byte[] {0x20, 0});
    assertWeight(880 * MANY, 960 * MANY, joined(type("p.M"), message(names)));
    byte[] text = field(3, "x".repeat(MANY).getBytes(StandardCharsets.UTF_8));
    assertWeight(4 * MANY, 8 * MANY, joined(type("p.M"), message(text)));
    byte[] controls = field(3, "\0".repeat(MANY).getBytes(StandardCharsets.UTF_8));
    assertWeight(24 * MANY, 28 * MANY, joined(type("p.M"), message(controls)));
  }

  @Test
  void message_countsWhereverItsTypeIs() {
    byte[] empties = message(repeated(new byte[] {0x0a, 0}));
    byte[] typeId = {(byte) 0x98, 1, (byte) 0xf0, (byte) 0xa2, 4}; // field 19, 70000
    assertWeight(180 * MANY, 220 * MANY, joined(empties, type("p.M")));
    assertWeight(180 * MANY, 220 * MANY, joined(typeId, empties));
    byte[] wrapped = message(joined(type("p.M"), empties));
    assertWeight(180 * MANY, 230 * MANY, joined(type(WrappedMessage.PROTOBUF_TYPE_NAME), wrapped));
  }

  @Test
  void elementsOfAList_count() {
    List<Integer> numbers = IntStream.range(0, MANY).boxed().toList();
    assertWeight(180 * MANY, 2_000 * MANY, new ObjectMarshaller().toBytes(numbers));
  }

  @Test
  void shortMessages_areNotLookedAt() {
    byte[] wrapped = joined(type("p.M"), message(new byte[1000]));
    assertDoesNotThrow(() -> JsonWeight.check(context, wrapped, 0));
  }
}
