package dev.isogrid.client;

import dev.isogrid.api.Marshaller;
import dev.isogrid.types.ObjectMarshaller;
import dev.isogrid.types.SchemaRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The formats of one client: those of ProtoStream keep their schemas with the client's servers, and
 * are made once per marshaller, since they collect classes. Thread-safe.
 */
final class ObjectFormats {
  private final SchemaRegistry schemas;
  private final Map<Marshaller<?>, ObjectFormat> known =
      Collections.synchronizedMap(new WeakHashMap<>());

  ObjectFormats(SchemaRegistry schemas) {
    this.schemas = schemas;
  }

  ObjectFormat of(Marshaller<?> marshaller) {
    if (marshaller instanceof ProtoStreamMarshaller own) {
      return known.computeIfAbsent(own, m -> new ObjectFormat(own.withRegistry(schemas)));
    }
    if (marshaller instanceof ObjectMarshaller objects) {
      return known.computeIfAbsent(objects, m -> new ObjectFormat(objects.withRegistry(schemas)));
    }
    return new ObjectFormat(marshaller);
  }
}
