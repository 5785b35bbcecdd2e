package dev.isogrid.server.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The meanings of REST requests, from the file beside this class. Immutable. */
final class RouteMeanings {
  private static final String FILE = "routes.txt";

  /**
   * The meaning of a request.
   *
   * @param text a sentence
   * @param parameters of its query
   */
  record Meaning(String text, List<Parameter> parameters) {
    Meaning {
      parameters = List.copyOf(parameters);
    }
  }

  /**
   * A parameter of a query.
   *
   * @param isNeeded whether the request is refused without it
   */
  record Parameter(String name, boolean isNeeded) {
    static Parameter of(String cell) {
      boolean isNeeded = cell.endsWith("!");
      return new Parameter(isNeeded ? cell.substring(0, cell.length() - 1) : cell, isNeeded);
    }
  }

  private final Map<String, Meaning> byRequest = new HashMap<>();

  private RouteMeanings(String text) {
    text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(this::add);
  }

  private void add(String line) {
    List<String> cells = Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
    List<Parameter> parameters =
        cells.size() < 3
            ? List.of()
            : Arrays.stream(cells.get(2).split(" +")).map(Parameter::of).toList();
    byRequest.put(cells.getFirst(), new Meaning(cells.get(1), parameters));
  }

  /** Reads the file. */
  static RouteMeanings read() {
    try (InputStream in = RouteMeanings.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("not in the server's archive: file=" + FILE);
      }
      return new RouteMeanings(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The meaning of a request by its name in the table of requirements. */
  Meaning of(String request) {
    Meaning meaning = byRequest.get(request);
    if (meaning == null) {
      throw new IllegalStateException("%s has no line for %s".formatted(FILE, request));
    }
    return meaning;
  }
}
