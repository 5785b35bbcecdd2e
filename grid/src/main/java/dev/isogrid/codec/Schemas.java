package dev.isogrid.codec;

import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.wire.MediaTypes;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
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
  /** The end of an empty collection in JSON; in texts of users its quotes are escaped. */
  private static final String EMPTY_HEAD =
      "\"wrappedContainerSize\":0,\"wrappedContainerMessage\":\"\"";

  /*
   * All files are parsed again after each change, into a context of their own which then takes the
   * place of the one before. So what is known depends on the files alone, not on the order of their
   * changes, and conversions under way see one state or the other. A context is built when it is
   * needed first, since that costs a process about 0.2 s.
   *
   * Parsing can take seconds. A server converts on event loops, which must not wait for that: its
   * conversions use what was parsed last, and whoever may block calls catchUp before.
   */

  /** Longest file that is parsed, in characters. */
  public static final int LENGTH_MAX = SchemaOutline.LENGTH_MAX;

  /** Where the files come from. Called by any thread; must not block. */
  public interface Source {
    /** A number that is another one after each change of the files. */
    long version();

    /** The files by their names: as they were at {@link #version} or later. */
    Map<String, String> files();
  }

  /**
   * The result of parsing some files.
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
  private final boolean parsesOnUse;

  /** Held while files are parsed, so that nobody goes on with what was known before a change. */
  private final ReentrantLock parsing = new ReentrantLock();

  /** Written with the lock held. */
  private volatile @Nullable Known known;

  /** The types without any file. Written by any thread, always with the same content. */
  private volatile @Nullable Known builtIn;

  /** The version that was last looked at. Written by any thread that parses. */
  private volatile long caughtUp;

  private Schemas(Source source, boolean parsesOnUse) {
    this.source = source;
    this.parsesOnUse = parsesOnUse;
    this.caughtUp = source.version() - (source.files().isEmpty() ? 0 : 1);
  }

  /** Begins with what the source has when it is needed. */
  public Schemas(Source source) {
    this(source, true);
  }

  /**
   * Schemas whose conversions never parse a file: they use what {@link #catchUp}, {@link #errors}
   * or {@link #types} parsed last.
   */
  public static Schemas parsedAhead(Source source) {
    return new Schemas(source, false);
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

  /** Returns whether files changed since they were parsed. Does not block. */
  public boolean isBehind() {
    return caughtUp != source.version();
  }

  /** Parses the files if they changed. Takes seconds if there are many: not for event loops. */
  public void catchUp() {
    long version = source.version();
    if (known == null && source.files().isEmpty()) {
      caughtUp = version;
    } else {
      known();
    }
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
        now = parsed(version, source.files(), now);
        known = now;
        caughtUp = version;
      }
      return now;
    } finally {
      parsing.unlock();
    }
  }

  private SerializationContext contextForUse() {
    if (parsesOnUse) {
      return known().context();
    }
    Known last = known;
    if (last == null) {
      last = builtIn;
    }
    if (last == null) {
      last = parsed(0, Map.of(), null);
      builtIn = last;
    }
    return last.context();
  }

  private static Known parsed(long version, Map<String, String> files, @Nullable Known former) {
    if (former != null && former.files().equals(files)) {
      return new Known(version, former.files(), former.errors(), former.context());
    }
    SerializationContext context = newContext();
    Map<String, String> errors = new SchemaParser(context, files).parse();
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

  /** The errors of files, by the files' names. Parses if there was a change. */
  public Map<String, String> errors() {
    catchUp();
    Known now = known;
    return now == null ? Map.of() : now.errors();
  }

  /** The names of the message types and enums that files without errors define, sorted. */
  public Set<String> types() {
    catchUp();
    Known now = known;
    if (now == null) {
      return Set.of();
    }
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
    long limit = JsonWeight.limit();
    byte[] unpacked = PackedFields.unpacked(context, wrapped, limit);
    JsonWeight.check(context, unpacked, limit);
    String json = mended(ProtobufUtil.toCanonicalJSON(context, unpacked, false), wrapped);
    JsonSyntax.check(json); // bytes with other fields than those of one message give other text
    return json;
  }

  /** Text where the library leaves a single character out, and empty collections unfinished. */
  private static String mended(String json, byte[] wrapped) {
    if (json.isEmpty() && WrappedScalar.toObject(wrapped) instanceof Character character) {
      return "{\"_type\":\"string\",\"_value\":\"%s\"}".formatted(escaped(character));
    }
    return json.replace(EMPTY_HEAD + ']', EMPTY_HEAD + ",\"_value\":[]");
  }

  private static String escaped(char character) {
    boolean isPlain =
        character >= ' '
            && character != '"'
            && character != '\\'
            && !Character.isSurrogate(character);
    return isPlain ? String.valueOf(character) : "\\u%04x".formatted((int) character);
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
          JsonSyntax.check(json, new MessageTokens(context));
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
      return use.apply(contextForUse());
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
