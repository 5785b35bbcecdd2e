package dev.isogrid.codec;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.infinispan.protostream.DescriptorParserException;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.descriptors.Descriptor;
import org.infinispan.protostream.descriptors.EnumDescriptor;
import org.infinispan.protostream.descriptors.FieldDescriptor;
import org.infinispan.protostream.descriptors.FileDescriptor;
import org.infinispan.protostream.descriptors.Type;
import org.jspecify.annotations.Nullable;

/**
 * The fields of nested messages in a file that was not registered yet. If the type of one is not
 * known, registering the file would never end (ProtoStream 6.0.9). For one use by one thread.
 */
final class NestedFields {
  /** A file that ends a registration: the type of its field is unknown, but not nested. */
  private static final String STOP = "message A { optional B b = 1; }";

  private final FileDescriptor file;

  /** Where the package's names begin. */
  private final String prefix;

  /** Full names of the types that the file defines. */
  private final Set<String> own = new HashSet<>();

  private final List<FileDescriptor> imported;

  /**
   * Parses the file.
   *
   * @param scratch a context for nothing else
   * @param imported the files whose types this one sees
   * @throws DescriptorParserException if it can't be parsed
   */
  NestedFields(
      SerializationContext scratch, String name, String text, List<FileDescriptor> imported) {
    this.file = parsed(scratch, name, text);
    this.prefix = file.getPackage() == null ? "" : file.getPackage() + '.';
    this.imported = imported;
    file.getEnumTypes().forEach(this::add);
    file.getMessageTypes().forEach(this::add);
  }

  /**
   * Parses a file without resolving its types. ProtoStream has no call for that. But it parses the
   * files of a source before it resolves the first one, and ends at the first error: here that of
   * {@link #STOP}.
   */
  private static FileDescriptor parsed(SerializationContext scratch, String name, String text) {
    String stop = name + "/stop";
    FileDescriptorSource source = new FileDescriptorSource();
    source.addProtoFile(stop, STOP).addProtoFile(name, text);
    try {
      scratch.registerProtoFiles(source);
      throw new IllegalStateException("unknown type accepted: file=" + stop);
    } catch (DescriptorParserException e) {
      FileDescriptor file = scratch.getFileDescriptors().get(name);
      if (file == null) {
        throw e;
      }
      scratch.unregisterProtoFiles(Set.of(stop, name));
      return file;
    }
  }

  private void add(EnumDescriptor type) {
    own.add(type.getFullName());
  }

  private void add(Descriptor message) {
    own.add(message.getFullName());
    message.getEnumTypes().forEach(this::add);
    message.getNestedTypes().forEach(this::add);
  }

  /** Returns what is wrong with the first field whose type is not known, or null if all are. */
  @Nullable String wrong() {
    for (Descriptor message : file.getMessageTypes()) {
      FieldDescriptor unknown = firstUnknown(message.getNestedTypes());
      if (unknown != null) {
        return "Failed to resolve type of field \"%s\". Type not found : %s"
            .formatted(unknown.getFullName(), unknown.getTypeName());
      }
    }
    return null;
  }

  private @Nullable FieldDescriptor firstUnknown(List<Descriptor> messages) {
    for (Descriptor message : messages) {
      for (FieldDescriptor field : message.getFields()) {
        if (isNamed(field.getType()) && !isKnown(field.getTypeName(), message)) {
          return field;
        }
      }
      FieldDescriptor unknown = firstUnknown(message.getNestedTypes());
      if (unknown != null) {
        return unknown;
      }
    }
    return null;
  }

  private static boolean isNamed(@Nullable Type type) {
    return type == null || type == Type.GROUP || type == Type.MESSAGE || type == Type.ENUM;
  }

  /** Looks at the places where ProtoStream does, which are not quite those of protobuf. */
  private boolean isKnown(String type, Descriptor user) {
    boolean isKnown = isDefined(type) || isDefined(prefix + type);
    for (Descriptor scope = user; !isKnown && scope != null; scope = scope.getContainingType()) {
      isKnown = isDefined(scope.getFullName() + '.' + type);
    }
    return isKnown;
  }

  private boolean isDefined(String fullName) {
    return own.contains(fullName)
        || imported.stream().anyMatch(other -> other.getTypes().containsKey(fullName));
  }
}
