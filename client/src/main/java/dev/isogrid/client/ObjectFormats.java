package dev.isogrid.client;

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
  private final Map<ProtoStreamMarshaller, ObjectFormat> known =
      Collections.synchronizedMap(new WeakHashMap<>());

  ObjectFormats(SchemaRegistry schemas) {
    this.schemas = schemas;
  }

  ObjectFormat of(Marshaller marshaller) {
    return marshaller instanceof ProtoStreamMarshaller own
        ? known.computeIfAbsent(own, m -> new ObjectFormat(m.withRegistry(schemas)))
        : new ObjectFormat(marshaller);
  }
}
