package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.wire.MediaTypes;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.infinispan.protostream.DescriptorParserException;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.descriptors.FileDescriptor;
import org.infinispan.protostream.types.java.CommonContainerTypesSchema;
import org.infinispan.protostream.types.java.CommonTypesSchema;
import org.jspecify.annotations.Nullable;

/**
 * The message types that are known from schema files, and the conversion of such messages from and
 * to JSON. Those of ProtoStream for common Java types are always known. Needs the ProtoStream
 * library on the class path. Thread-safe.
 */
public final class Schemas {
  /*
   * All files are parsed again after each change, into a context of their own which then takes the
   * place of the one before. So what is known depends on the files alone, not on the order of their
   * changes, and conversions under way see one state or the other. A context is built when it is
   * needed first, since that costs a process about 0.2 s.
   */

  /** Where the files come from. Called by any thread; must not block. */
  public interface Source {
    /** A number that is another one after each change of the files. */
    long version();

    /** The files by their names: as they were at {@link #version} or later. */
    Map<String, String> files();
  }

  /**
   * What came of some files.
   *
   * @param version of the files, or an earlier one
   * @param files by their names
   * @param errors what is wrong with those that are, by their names
   */
  private record Known(
      long version,
      Map<String, String> files,
      Map<String, String> errors,
      SerializationContext context) {}

  private final Source source;

  /** Held while files are parsed, so that nobody goes on with what was known before a change. */
  private final ReentrantLock parsing = new ReentrantLock();

  /** Written with the lock held. */
  private volatile @Nullable Known known;

  /** Begins with what the source has when it is needed. */
  public Schemas(Source source) {
    this.source = source;
  }

  /** Schemas of some files, which don't change. */
  public static Schemas of(Map<String, String> files) {
    Map<String, String> fixed = Map.copyOf(files);
    return new Schemas(
        new Source() {
          @Override
          public long version() {
            return 0;
          }

          @Override
          public Map<String, String> files() {
            return fixed;
          }
        });
  }

  private Known known() {
    Known last = known;
    if (last != null && last.version() == source.version()) {
      return last;
    }
    parsing.lock();
    try {
      Known now = known;
      long version = source.version();
      if (now == null || now.version() != version) {
        now = parsed(version, source.files());
        known = now;
      }
      return now;
    } finally {
      parsing.unlock();
    }
  }

  private static Known parsed(long version, Map<String, String> files) {
    Map<String, String> errors = new TreeMap<>();
    SerializationContext context = newContext();
    FileDescriptorSource parsed = new FileDescriptorSource();
    new TreeMap<>(files).forEach(parsed::addProtoFile);
    parsed.withProgressCallback(
        new FileDescriptorSource.ProgressCallback() {
          @Override
          public void handleError(String file, DescriptorParserException error) {
            errors.put(file, String.valueOf(error.getMessage()));
          }
        });
    if (!files.isEmpty()) {
      context.registerProtoFiles(parsed);
    }
    return new Known(version, Map.copyOf(files), Map.copyOf(errors), context);
  }

  private static SerializationContext newContext() {
    SerializationContext context = ProtobufUtil.newSerializationContext();
    CommonTypesSchema types = new CommonTypesSchema();
    types.registerSchema(context);
    types.registerMarshallers(context);
    CommonContainerTypesSchema containers = new CommonContainerTypesSchema();
    containers.registerSchema(context);
    containers.registerMarshallers(context);
    return context;
  }

  /**
   * What is wrong with the files that have errors, by their names. Parses if there was a change.
   */
  public Map<String, String> errors() {
    return source.files().isEmpty() ? Map.of() : known().errors();
  }

  /** The names of the message types and enums that files without errors define, sorted. */
  public Set<String> types() {
    if (source.files().isEmpty()) {
      return Set.of();
    }
    Known now = known();
    Set<String> names = new TreeSet<>();
    for (FileDescriptor file : now.context().getFileDescriptors().values()) {
      if (now.files().containsKey(file.getName()) && !now.errors().containsKey(file.getName())) {
        names.addAll(file.getTypes().keySet());
      }
    }
    return names;
  }

  /**
   * A wrapped message or scalar as JSON.
   *
   * @throws InvalidRequestException if the bytes are none, or of a type that is not known
   */
  String toJson(byte[] wrapped) {
    return withKnown(true, wrapped.length, context -> json(context, wrapped));
  }

  private static String json(SerializationContext context, byte[] wrapped) throws IOException {
    String json = ProtobufUtil.toCanonicalJSON(context, wrapped, false);
    JsonSyntax.check(json); // bytes with other fields than those of one message give other text
    return json;
  }

  /**
   * A wrapped message or scalar from JSON with {@code _type}.
   *
   * @throws InvalidRequestException if the text is no such JSON, or of a type that is not known
   */
  byte[] fromJson(String json) {
    return withKnown(
        false,
        json.length(),
        context -> {
          JsonSyntax.check(json);
          byte[] wrapped = ProtobufUtil.fromCanonicalJSON(context, new StringReader(json));
          if (wrapped.length == 0) {
            throw new InvalidRequestException("an object with _type is expected");
          }
          return wrapped;
        });
  }

  @FunctionalInterface
  private interface Use<T> {
    T apply(SerializationContext context) throws IOException;
  }

  private <T> T withKnown(boolean toJson, int length, Use<T> use) {
    try {
      return use.apply(known().context());
    } catch (IOException | RuntimeException | StackOverflowError failure) {
      throw refusal(toJson, length, failure);
    }
  }

  /** Bytes can be nested deeper than the parser's recursion can go; it holds nothing meanwhile. */
  private static InvalidRequestException refusal(boolean toJson, int length, Throwable failure) {
    String reason =
        failure instanceof StackOverflowError
            ? "nested too deeply"
            : String.valueOf(failure.getMessage());
    return new InvalidRequestException(
        "cannot convert: from=%s, to=%s, length=%d; %s"
            .formatted(
                toJson ? MediaTypes.PROTOSTREAM : MediaTypes.JSON,
                toJson ? MediaTypes.JSON : MediaTypes.PROTOSTREAM,
                length,
                reason),
        failure instanceof StackOverflowError ? null : failure);
  }
}
