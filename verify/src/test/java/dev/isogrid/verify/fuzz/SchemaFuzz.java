package dev.isogrid.verify.fuzz;

import dev.isogrid.codec.Schemas;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A fuzz target for schema files, separated by form feeds. Each file is registered or has an error.
 * A file without imports of the others is registered in any case.
 */
public final class SchemaFuzz {
  private static final int FILES_MAX = 10;
  private static final int ERROR_LENGTH_MAX = 1100;
  private static final String GOOD = "good.proto";
  private static final String GOOD_TYPE = "isogrid.fuzz.good.G";
  private static final String GOOD_TEXT =
      "package isogrid.fuzz.good; message G { optional string f = 1; }";

  private SchemaFuzz() {}

  /** Parses some files. */
  public static void fuzzerTestOneInput(byte[] input) {
    Map<String, String> files = new TreeMap<>();
    for (String text : new String(input, StandardCharsets.UTF_8).split("\f", FILES_MAX)) {
      files.put((char) ('a' + files.size()) + ".proto", text);
    }
    boolean hasGoodNames = files.values().stream().anyMatch(text -> text.contains("isogrid"));
    files.put(GOOD, GOOD_TEXT);
    Schemas schemas = Schemas.of(files);
    Map<String, String> errors = schemas.errors();
    FuzzedServer.check(files.keySet().containsAll(errors.keySet()), "error of no file");
    for (String error : errors.values()) {
      FuzzedServer.check(!error.isBlank() && error.length() < ERROR_LENGTH_MAX, "error: " + error);
    }
    Set<String> types = schemas.types();
    FuzzedServer.check(hasGoodNames || types.contains(GOOD_TYPE), "good file is not known");
  }
}
