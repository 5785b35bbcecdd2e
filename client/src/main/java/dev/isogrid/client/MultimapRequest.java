package dev.isogrid.client;

import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation on a multimap. The body of the request:
 *
 * <pre>
 * with a key: bytes key | with a value: lifetime, bytes value | from 4.0: u8 duplicates
 * </pre>
 */
abstract class MultimapRequest<T extends @Nullable Object> extends Operation<T> {
  private final Target target;

  /**
   * A request of a multimap.
   *
   * @param opcode the operation
   * @param hasDuplicates whether a key may have equal values
   * @param value null if it needs none
   */
  record Target(int opcode, boolean hasDuplicates, @Nullable WrittenValue value) {}

  private final byte @Nullable [] key;

  MultimapRequest(RequestFormat format, byte @Nullable [] key, Target target) {
    super(format);
    this.key = key;
    this.target = target;
  }

  @Override
  final int opcode() {
    return target.opcode();
  }

  @Override
  final byte @Nullable [] routingKey() {
    return key;
  }

  @Override
  final int versionMin() {
    return Versions.V27;
  }

  /** A second try of a change to a collection with duplicates would find or make one more. */
  @Override
  final boolean isRepeatable() {
    return switch (target.opcode()) {
      case Opcodes.PUT_MULTIMAP, Opcodes.REMOVE_ENTRY_MULTIMAP -> !target.hasDuplicates();
      default -> true;
    };
  }

  @Override
  final int size() {
    WrittenValue value = target.value();
    return (key == null ? 0 : key.length) + (value == null ? 0 : value.size());
  }

  @Override
  final void encode(RequestWriter out) {
    if (key != null) {
      out.bytes(key);
    }
    WrittenValue value = target.value();
    if (value != null) {
      value.lifetime().write(out);
      value.write(out);
    }
    if (out.version() >= Versions.V40) {
      out.u8(target.hasDuplicates() ? 1 : 0);
    }
  }

  /** Adds a value. */
  static final class Put extends MultimapRequest<@Nullable Void> {
    Put(RequestFormat format, byte[] key, Target target) {
      super(format, key, target);
    }

    @Override
    @Nullable Void decode(ResponseReader in, int status) {
      return null;
    }
  }

  /** Asks for yes or no, or removes and tells whether there was something. */
  static final class OfTruth extends MultimapRequest<Boolean> {
    OfTruth(RequestFormat format, byte @Nullable [] key, Target target) {
      super(format, key, target);
    }

    @Override
    Boolean decode(ResponseReader in, int status) {
      return status == Statuses.OK && in.u8() != 0;
    }
  }

  /** Counts the values. */
  static final class Size extends MultimapRequest<Long> {
    Size(RequestFormat format, Target target) {
      super(format, null, target);
    }

    @Override
    Long decode(ResponseReader in, int status) {
      return in.vLong();
    }
  }

  /** Reads the values of a key. */
  static final class Get<V> extends MultimapRequest<Collection<V>> {
    Get(RequestFormat format, byte[] key, Target target) {
      super(format, key, target);
    }

    @Override
    Collection<V> resolved(Collection<V> result) {
      return objects(result);
    }

    @Override
    Collection<V> decode(ResponseReader in, int status) {
      return status == Statuses.OK ? values(in) : List.of();
    }
  }

  /** Reads the values of a key with the version and times of the entry; null if there are none. */
  static final class GetWithMetadata<V>
      extends MultimapRequest<@Nullable MetadataValue<Collection<V>>> {
    GetWithMetadata(RequestFormat format, byte[] key, Target target) {
      super(format, key, target);
    }

    @Override
    @Nullable MetadataValue<Collection<V>> resolved(@Nullable MetadataValue<Collection<V>> result) {
      return result == null ? null : result.of(objects(result.value()));
    }

    @Override
    @Nullable MetadataValue<Collection<V>> decode(ResponseReader in, int status) {
      if (status != Statuses.OK) {
        return null;
      }
      MetadataValue<Boolean> metadata = in.metadata();
      return metadata.of(values(in));
    }
  }

  private static <V> Collection<V> objects(Collection<V> values) {
    return values.stream().map(Undecoded::object).toList();
  }

  @SuppressWarnings("unchecked") // the user says what the cache holds
  final <V> Collection<V> values(ResponseReader in) {
    List<V> values = new ArrayList<>();
    for (int count = in.length(); count > 0; count--) {
      Object value = in.object(format().values());
      if (value != null) {
        values.add((V) value);
      }
    }
    return Collections.unmodifiableList(values);
  }
}
