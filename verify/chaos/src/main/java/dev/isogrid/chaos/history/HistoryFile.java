package dev.isogrid.chaos.history;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A text file of operations: a header line, then one operation per line, its fields separated by
 * tabs. Thread-safe.
 */
public final class HistoryFile implements AutoCloseable {
  private static final String HEADER =
      "client\tkind\tkey\targument\texpected\tcalled-ns\tended-ns\toutcome\tresult\tversion";

  private static final int FIELDS = 10;

  private final BufferedWriter out;

  /** Makes an empty file, replacing an existing one. */
  public HistoryFile(Path path) throws IOException {
    out = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
    out.append(HEADER).append('\n');
  }

  /** Adds an operation. */
  public synchronized void add(Operation operation) throws IOException {
    StringJoiner line = new StringJoiner("\t", "", "\n");
    line.add(String.valueOf(operation.client())).add(operation.kind().name()).add(operation.key());
    line.add(String.valueOf(operation.argument())).add(String.valueOf(operation.expected()));
    line.add(String.valueOf(operation.calledNanos())).add(String.valueOf(operation.endedNanos()));
    line.add(operation.outcome().name());
    line.add(String.valueOf(operation.result())).add(String.valueOf(operation.version()));
    out.append(line.toString());
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }

  /**
   * Reads a file.
   *
   * @return the operations of each key, in the order of the file
   * @throws IOException if the file has another format; the message names the line
   */
  public static Map<String, List<Operation>> read(Path path) throws IOException {
    Map<String, List<Operation>> operations = new HashMap<>();
    try (BufferedReader in = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      String line = in.readLine();
      if (!HEADER.equals(line)) {
        throw new IOException("not a history: file=%s, first line=%s".formatted(path, line));
      }
      line = in.readLine();
      for (int number = 2; line != null; number++) {
        Operation operation = parse(path, number, line);
        operations.computeIfAbsent(operation.key(), _ -> new ArrayList<>()).add(operation);
        line = in.readLine();
      }
    }
    return operations;
  }

  private static Operation parse(Path path, int number, String line) throws IOException {
    String[] fields = line.split("\t", -1);
    try {
      if (fields.length == FIELDS) {
        int i = 0;
        return new Operation(
            Integer.parseInt(fields[i++]),
            Kind.valueOf(fields[i++]),
            fields[i++],
            Long.parseLong(fields[i++]),
            Long.parseLong(fields[i++]),
            Long.parseLong(fields[i++]),
            Long.parseLong(fields[i++]),
            Operation.Outcome.valueOf(fields[i++]),
            Long.parseLong(fields[i++]),
            Long.parseLong(fields[i]));
      }
    } catch (IllegalArgumentException failure) {
      throw new IOException(
          "not an operation: file=%s, line=%d, text=%s".formatted(path, number, line), failure);
    }
    throw new IOException(
        "not an operation: file=%s, line=%d, fields=%d".formatted(path, number, fields.length));
  }
}
