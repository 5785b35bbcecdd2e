package dev.isogrid.codec;

import static java.util.Objects.requireNonNull;

import dev.isogrid.api.InvalidRequestException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.infinispan.protostream.DescriptorParserException;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.ProtobufUtil;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.descriptors.FileDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Parses schema files into a context, whatever they contain: a file that can't be parsed has an
 * error and leaves the others alone. For one use by one thread.
 */
final class SchemaParser {
  /*
   * ProtoStream calls itself for each level of nesting and for each import, and writes out full
   * names and reserved numbers. So it gets one file at a time, after those that it imports, and
   * only if the file's outline is within the limits. Time and stack are bounded by that. All files
   * together are bounded as well: what is beyond, in the order of names, has an error.
   *
   * ProtoStream looks for a name in each imported file and, through its public imports, in others:
   * once for each way that leads there. The ways double with each pair of files that import the
   * same two. It looks for ever for the type of a field of a nested message if there is no such
   * type, so these types are looked for here before.
   */

  /** Most files that are parsed: each one is looked at again for each other one. */
  static final int FILES_MAX = 2000;

  /** Most characters of all files: parsing them takes seconds then, at each change of one. */
  static final long LENGTHS_MAX = 4L * 1024 * 1024;

  /** As for one file, for all of them. */
  static final long EXPANSIONS_MAX = 4 * SchemaOutline.EXPANSION_MAX;

  /** Most looks into files for names, for all files together. */
  static final long LOOKS_MAX = 40_000_000;

  /** Longest text of an error: the parser quotes names from the file. */
  private static final int ERROR_LENGTH_MAX = 1000;

  private final SerializationContext context;

  /** Has no file between two uses; null after an error, see {@link #scratch}. */
  private @Nullable SerializationContext scratch;

  private final Set<String> builtIn;
  private final Map<String, String> files;
  private final Map<String, SchemaOutline> outlines = new TreeMap<>();
  private final Map<String, String> errors = new TreeMap<>();
  private final Set<String> done = new HashSet<>();

  /** By file: how many files are looked into for a name, each as often as ways lead there. */
  private final Map<String, Long> ways = new HashMap<>();

  private long looks;

  /**
   * Prepares.
   *
   * @param context has the built-in files, and gets those without errors
   * @param files by their names
   */
  SchemaParser(SerializationContext context, Map<String, String> files) {
    this.context = context;
    this.builtIn = Set.copyOf(context.getFileDescriptors().keySet());
    this.files = new TreeMap<>(files);
  }

  /** Parses all files; returns what is wrong with those that have errors, by their names. */
  Map<String, String> parse() {
    outline();
    files.keySet().forEach(this::parseWithImports);
    return errors;
  }

  private void outline() {
    long lengths = 0;
    long expansions = 0;
    for (Map.Entry<String, String> file : files.entrySet()) {
      try {
        SchemaOutline outline = SchemaOutline.of(file.getValue());
        check("files", outlines.size() + 1, FILES_MAX);
        check("characters", lengths + file.getValue().length(), LENGTHS_MAX);
        check("expansion", expansions + outline.expansion(), EXPANSIONS_MAX);
        lengths += file.getValue().length();
        expansions += outline.expansion();
        outlines.put(file.getKey(), outline);
      } catch (InvalidRequestException refusal) {
        fail(file.getKey(), String.valueOf(refusal.getMessage()));
      }
    }
  }

  private static void check(String what, long actual, long limit) {
    if (actual > limit) {
      throw new InvalidRequestException(
          "schemas together too large: %s=%d, limit=%d; remove some"
              .formatted(what, actual, limit));
    }
  }

  private void fail(String name, String error) {
    errors.put(
        name,
        error.length() > ERROR_LENGTH_MAX ? error.substring(0, ERROR_LENGTH_MAX) + "..." : error);
  }

  /** A file whose imports are being parsed, and those that are left. */
  private record Pending(String name, Set<String> imports, Iterator<String> left) {}

  private void parseWithImports(String root) {
    Deque<Pending> path = new ArrayDeque<>();
    Set<String> onPath = new HashSet<>();
    enter(root, path, onPath);
    while (!path.isEmpty()) {
      Pending file = path.getLast();
      if (file.left().hasNext()) {
        String wanted = file.left().next();
        if (onPath.contains(wanted)) {
          fail(
              file.name(),
              "Cyclic import: file=%s, import=%s; remove one of the imports on the way"
                  .formatted(file.name(), wanted));
        } else {
          enter(wanted, path, onPath);
        }
      } else {
        register(file.name(), file.imports());
        onPath.remove(file.name());
        path.removeLast();
      }
    }
  }

  private void enter(String name, Deque<Pending> path, Set<String> onPath) {
    SchemaOutline outline = outlines.get(name);
    if (outline != null && done.add(name)) {
      Set<String> imports = new TreeSet<>(outline.imports());
      path.addLast(new Pending(name, imports, imports.iterator()));
      onPath.add(name);
    }
  }

  /** Parses a file after those that it imports. */
  private void register(String name, Set<String> imports) {
    if (errors.containsKey(name)) {
      return;
    }
    for (String wanted : imports) {
      if (errors.containsKey(wanted)) {
        fail(name, "File %s imports a file (%s) that has errors".formatted(name, wanted));
      } else if (!files.containsKey(wanted) && !builtIn.contains(wanted)) {
        fail(name, "Import '%s' not found".formatted(wanted));
      }
    }
    if (!errors.containsKey(name) && hasFewWays(name)) {
      parse(name, String.valueOf(files.get(name)));
    }
  }

  /** Counts the ways to what a file imports, and refuses it if there are too many. */
  private boolean hasFewWays(String name) {
    SchemaOutline outline = requireNonNull(outlines.get(name));
    ways.put(name, ways(outline.publicImports()));
    long all = ways(outline.imports());
    long limit = (LOOKS_MAX - looks) / (1 + outline.lookups());
    if (all > limit) {
      fail(
          name,
          "too many ways to imported files: ways=%d, limit=%d; import fewer files publicly"
              .formatted(all, limit));
      return false;
    }
    looks += all * (1 + outline.lookups());
    return true;
  }

  private long ways(List<String> imports) {
    long sum = 1;
    for (String file : imports) {
      sum = Math.min(LOOKS_MAX, sum + ways.getOrDefault(file, 1L));
    }
    return sum;
  }

  /** Returns the files whose types a file sees: its imports, and what those import publicly. */
  private List<FileDescriptor> imported(String name) {
    Set<String> found = new LinkedHashSet<>(requireNonNull(outlines.get(name)).imports());
    Deque<String> left = new ArrayDeque<>(found);
    while (!left.isEmpty()) {
      SchemaOutline outline = outlines.get(left.remove()); // built-in files import none
      List<String> further = outline == null ? List.of() : outline.publicImports();
      further.stream().filter(found::add).forEach(left::add);
    }
    Map<String, FileDescriptor> registered = context.getFileDescriptors();
    return found.stream().map(each -> requireNonNull(registered.get(each))).toList();
  }

  private void parse(String name, String text) {
    FileDescriptorSource source = FileDescriptorSource.fromString(name, text);
    source.withProgressCallback(
        new FileDescriptorSource.ProgressCallback() {
          @Override
          public void handleError(String file, DescriptorParserException error) {
            fail(file, String.valueOf(error.getMessage()));
          }
        });
    try {
      String wrong = new NestedFields(scratch(), name, text, imported(name)).wrong();
      if (wrong != null) {
        fail(name, wrong);
        return;
      }
      context.registerProtoFiles(source);
    } catch (RuntimeException failure) {
      scratch = null;
      fail(name, String.valueOf(failure.getMessage()));
    } catch (StackOverflowError _) { // thrown before the context was changed
      scratch = null;
      fail(name, "nested too deeply; make it flatter");
    }
    boolean isLeft = errors.containsKey(name) && context.getFileDescriptors().containsKey(name);
    if (isLeft && !builtIn.contains(name)) {
      context.unregisterProtoFile(name);
    }
  }

  /**
   * Returns a context for trials. A new one after an error: the parser of a context gives comments
   * of a file that it could not parse to the next one.
   */
  private SerializationContext scratch() {
    SerializationContext known = scratch;
    if (known == null) {
      known = ProtobufUtil.newSerializationContext(context.getConfiguration());
      known.unregisterProtoFiles(known.getFileDescriptors().keySet());
      scratch = known;
    }
    return known;
  }
}
