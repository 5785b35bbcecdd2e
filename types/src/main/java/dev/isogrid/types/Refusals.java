package dev.isogrid.types;

import dev.isogrid.api.InvalidRequestException;

/** Messages of errors about classes, with the ways out. */
final class Refusals {
  private Refusals() {}

  /** A class that has no form as a message. */
  static InvalidRequestException unknown(Class<?> type) {
    return unknown(type, "");
  }

  /**
   * A class that has no form as a message.
   *
   * @param where it was met, as {@code ", name=value"}; may be empty
   */
  static InvalidRequestException unknown(Class<?> type, String where) {
    if (type.isArray()) {
      return new InvalidRequestException(
          "no marshaller for an array: type=%s%s; use a List, or a record with it as a component"
              .formatted(type.getSimpleName(), where));
    }
    if (type.isHidden() || type.isAnonymousClass()) {
      return new InvalidRequestException(
          ("no marshaller for a lambda or an anonymous class: type=%s%s; it has no name that other"
                  + " programs know: store a record of the values that it uses")
              .formatted(type.getName(), where));
    }
    boolean isOfUser = !isOfJava(type);
    String simple = type.getSimpleName().isEmpty() ? "Type" : type.getSimpleName();
    String name = type.getName();
    return new InvalidRequestException(
        """
        no marshaller: type=%1$s%2$s; %4$s, or choose one of three ways:
          1. ProtoStream: annotate %5$s, and generate its initializer:
             var marshaller = new dev.isogrid.types.ObjectMarshaller(new %3$sSchemaImpl());
          2. a marshaller of your own:
             class %3$sMarshaller implements dev.isogrid.api.Marshaller<%3$s> { ... }
          3. Java serialization, for classes that you name:
             var marshaller =
                 new dev.isogrid.types.JavaSerializationMarshaller(java.util.List.of("%1$s"));
        Pass that of 1 or 3 to the grid, or to the client:
             dev.isogrid.api.GridConfig.builder().marshaller(marshaller)
             dev.isogrid.client.ClientConfig.builder().marshaller(marshaller)
        Pass that of 2 to a cache of the grid, or to a cache of the client:
             dev.isogrid.api.CacheConfig.builder().valueMarshaller(new %3$sMarshaller())
             cache.withDataFormat(new dev.isogrid.client.DataFormat(
                 new dev.isogrid.client.ProtoStreamMarshaller(), new %3$sMarshaller()))\
        """
            .formatted(
                name,
                where,
                simple,
                isOfUser ? "make it a record" : "store a record of what it holds",
                isOfUser
                    ? "it with @Proto"
                    : "an adapter with @ProtoAdapter(%s.class)".formatted(simple)));
  }

  /** Returns whether a class comes with the JDK, so that nobody can annotate it. */
  private static boolean isOfJava(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader.equals(ClassLoader.getPlatformClassLoader());
  }

  /** A module that does not let the codec see a class. */
  static InvalidRequestException closed(Class<?> type, Exception cause) {
    String module = type.getModule().getName();
    return new InvalidRequestException(
        ("class not accessible: class=%s, module=%s; add to its module-info.java: opens %s;"
                + " (or make the class public and export its package)")
            .formatted(type.getName(), module, type.getPackageName()),
        cause);
  }
}
