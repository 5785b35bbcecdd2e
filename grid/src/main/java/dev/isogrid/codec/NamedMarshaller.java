package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.Marshaller;
import dev.isogrid.wire.MediaTypes;

/**
 * Stands for a marshaller in the definition of a cache, which all nodes of a cluster have. Each
 * node puts its own marshaller of this name in its place.
 *
 * @param name as nodes are configured to know it, or the name of a class
 */
public record NamedMarshaller(String name) implements Marshaller<Object> {
  /** Always fails. */
  @Override
  public byte[] toBytes(Object object) {
    throw refusal();
  }

  /** Always fails. */
  @Override
  public Object fromBytes(byte[] bytes) {
    throw refusal();
  }

  private InvalidRequestException refusal() {
    return new InvalidRequestException(
        "marshaller is a name only: name=%s; use the cache that a grid gives".formatted(name));
  }

  @Override
  public String mediaType() {
    return MediaTypes.UNKNOWN;
  }
}
