package dev.isogrid.server.net;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.base.Turns;
import dev.isogrid.codec.Schemas;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.node.InternalCaches;
import dev.isogrid.node.Node;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The schema files of a server, which it shares with all servers of its cluster: the message types
 * of ProtoStream. They are the entries of the cache {@link #CACHE}, which clients may also read and
 * write; then {@link #refresh} is called. A wrong file {@code x.proto} has an entry {@code
 * x.proto.errors} with its errors. The entry {@code .errors} lists all such files, one per line.
 * Thread-safe; methods that change something block.
 */
public final class SchemaCatalog {
  /** The name of the cache, which clients know. */
  public static final String CACHE = InternalCaches.SCHEMAS;

  /** Largest schema in bytes, or characters, that is accepted. */
  private static final int SIZE_MAX = Schemas.LENGTH_MAX;

  /** The suffix of the names of schema files. */
  public static final String SUFFIX = ".proto";

  private static final String ERRORS = ".errors";

  /** Line breaks and quotes take two bytes in a file; other escapes are rare. */
  private static final int ESCAPED_FACTOR = 2;

  /** The longest name: each error of each file that imports a schema repeats its name. */
  private static final int NAME_LENGTH_MAX = 500;

  private final SharedTexts texts;
  private final Schemas schemas;
  private final Transcoder transcoder;
  private final Turns refreshing = new Turns("checking schemas");

  /** The outcome of a write. */
  public enum Outcome {
    CREATED,
    UPDATED,
    /** The file is unchanged. */
    NONE
  }

  /** The condition of a write. */
  public enum When {
    /** There is no file of the name. */
    ABSENT,
    /** There is a file of the name. */
    PRESENT,
    /** There is a file of the name, with other content. */
    PRESENT_AND_DIFFERENT,
    /** There is no file of the name with the same content. */
    DIFFERENT,
    /** Always. */
    ALWAYS
  }

  SchemaCatalog(Node node, @Nullable KeptMap kept) {
    this.texts = new SharedTexts(node, CACHE, kept, SchemaCatalog::isFile, this::catchUp);
    this.schemas =
        Schemas.parsedAhead(
            new Schemas.Source() {
              @Override
              public long version() {
                return texts.version();
              }

              @Override
              public Map<String, String> files() {
                return SchemaCatalog.this.files();
              }
            });
    this.transcoder = new Transcoder(schemas);
  }

  private static boolean isFile(String name) {
    return name.endsWith(SUFFIX)
        && name.length() > SUFFIX.length()
        && name.length() <= NAME_LENGTH_MAX;
  }

  /** Loads the cluster's files, or the stored ones. Call this once. */
  void begin() {
    texts.begin();
    refresh();
  }

  /** Whether conversions still use the state before a change. Does not block. */
  public boolean isBehind() {
    return schemas.isBehind();
  }

  /** Updates conversions to the present files. May take seconds: not for event loops. */
  public void catchUp() {
    schemas.catchUp();
  }

  /** Converts between media types, with the message types of these files. */
  public Transcoder transcoder() {
    return transcoder;
  }

  /** All files by their names, sorted. Does not block. */
  public Map<String, String> files() {
    Map<String, String> files = texts.all();
    files.keySet().removeIf(name -> !isFile(name));
    return files;
  }

  /** The errors of files by their names, sorted. Does not block. */
  public Map<String, String> errors() {
    return new TreeMap<>(schemas.errors());
  }

  /** The names of the types that the files define, sorted. Does not block. */
  public Set<String> types() {
    return schemas.types();
  }

  /**
   * Writes a file. Files with errors are written as well.
   *
   * @throws InvalidRequestException if the name is not allowed, or the content is too long
   * @throws FatalGridException if the disk refuses it; then nothing has changed
   */
  public Outcome write(String name, String content, When when) {
    if (!isFile(name)) {
      throw new InvalidRequestException(
          "invalid schema name: length=%d, limit=%d; it must end with %s"
              .formatted(name.length(), NAME_LENGTH_MAX, SUFFIX));
    }
    checkSize(content.length());
    Outcome outcome = writeFile(name, content, when);
    refresh();
    return outcome;
  }

  /**
   * Runs a write of a client to {@link #CACHE} itself. Call {@link #refresh} afterwards, which adds
   * the errors of wrong files.
   *
   * @param size of all written values in bytes; 0 if there is none
   * @return the result of the write
   * @throws FatalGridException if the disk has no room for it; then the write was not run
   */
  public boolean writeDirectly(int size, BooleanSupplier write) {
    return texts.writeDirectly(ESCAPED_FACTOR * size, write);
  }

  /**
   * Refuses content that is too long for a schema.
   *
   * @param size of a schema, in bytes or characters
   * @throws InvalidRequestException if it is
   */
  public static void checkSize(int size) {
    if (size > SIZE_MAX) {
      throw new InvalidRequestException(
          "schema too long: size=%d, limit=%d; split it".formatted(size, SIZE_MAX));
    }
  }

  private Outcome writeFile(String name, String content, When when) {
    boolean isSame = content.equals(texts.get(name));
    return switch (when) {
      case ABSENT -> texts.putIfAbsent(name, content) ? Outcome.CREATED : Outcome.NONE;
      case PRESENT -> texts.replace(name, content) ? Outcome.UPDATED : Outcome.NONE;
      case PRESENT_AND_DIFFERENT ->
          !isSame && texts.replace(name, content) ? Outcome.UPDATED : Outcome.NONE;
      case DIFFERENT -> isSame ? Outcome.NONE : put(name, content);
      case ALWAYS -> put(name, content);
    };
  }

  private Outcome put(String name, String content) {
    if (texts.putIfAbsent(name, content)) {
      return Outcome.CREATED;
    }
    texts.put(name, content);
    return Outcome.UPDATED;
  }

  /** Removes a file; returns whether it existed. */
  public boolean remove(String name) {
    boolean removed = isFile(name) && texts.remove(name);
    refresh();
    return removed;
  }

  /** Updates the entries with errors, after a change of the files. */
  public void refresh() {
    refreshing.take(this::listErrors);
    catchUp(); // with the entries that were just written
  }

  private void listErrors() {
    texts.reload();
    Map<String, String> errors = errors();
    Map<String, String> wanted = new TreeMap<>();
    errors.forEach((name, error) -> wanted.put(name + ERRORS, error));
    if (!errors.isEmpty()) {
      wanted.put(ERRORS, String.join("\n", errors.keySet()));
    }
    Map<String, String> actual = texts.all();
    for (String name : actual.keySet()) {
      if (name.endsWith(ERRORS) && !wanted.containsKey(name)) {
        texts.remove(name);
      }
    }
    wanted.forEach((name, error) -> {
      if (!error.equals(actual.get(name))) {
        texts.put(name, error);
      }
    });
    texts.keepOrRetry();
  }
}
