package dev.isogrid.types;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The constants of an enum, by the numbers that its schema has for their names. */
final class EnumCodec extends Codec {
  private final int[] numbers;
  private final Map<Integer, Object> constants = new HashMap<>();

  /**
   * Creates one.
   *
   * @param schemaNumbers by the names in the schema
   */
  EnumCodec(Class<?> type, Map<String, Integer> schemaNumbers) {
    Object[] all = type.getEnumConstants();
    String prefix = TypeNames.constantPrefix(type);
    numbers = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      String name = ((Enum<?>) all[i]).name();
      Integer number = schemaNumbers.getOrDefault(prefix + name, schemaNumbers.get(name));
      if (number == null) {
        throw new IllegalStateException("constant without a number: " + type + "." + name);
      }
      numbers[i] = number;
      constants.put(number, all[i]);
    }
  }

  @Override
  int wireType() {
    return MessageWriter.VARINT;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // an index within this process only
  void write(MessageWriter out, Object value) {
    out.int32(numbers[((Enum<?>) value).ordinal()]);
  }

  @Override
  @Nullable Object read(MessageReader in) {
    return constants.get(in.varint32());
  }

  @Override
  @Nullable Object zero() {
    return constants.get(0);
  }
}
