package dev.isogrid.server.hotrod;

import dev.isogrid.wire.Opcodes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.BufferUnderflowException;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Requests of Hot Rod, one per operation, and their answers. */
public final class OperationSample {
  private static final int VERSION = 31;
  private static final int REFUSED = 0x85;

  private OperationSample() {}

  /** All operations that clients may request, supported or not. */
  public static SortedSet<Integer> operations() {
    SortedSet<Integer> operations = new TreeSet<>();
    for (Field field : Opcodes.class.getFields()) {
      boolean isOfServer = field.getName().startsWith("EVENT_") || field.getName().equals("ERROR");
      if (Modifier.isStatic(field.getModifiers()) && !isOfServer) {
        try {
          operations.add(field.getInt(null));
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return operations;
  }

  /** Whether an operation is supported. */
  public static boolean isSupported(int operation) {
    return Arrays.binarySearch(RequestLayout.supportedOperations(), operation) >= 0;
  }

  /** Whether the server can read a request for an operation. */
  public static boolean isReadable(int operation) {
    return RequestLayout.of(operation) != null;
  }

  /** A request for an operation, with each field of its layout. */
  public static byte[] request(int operation, String cache) {
    RequestBytes request = new RequestBytes(VERSION, operation).cache(cache);
    String layout = RequestLayout.of(operation);
    if (layout == null) {
      throw new AssertionError("no layout: operation=" + Opcodes.describe(operation));
    }
    layout.chars().forEach(field -> add((char) field, request));
    if (operation == Opcodes.PUT_STREAM) {
      request.string("chunk").vInt(0);
    }
    return request.bytes();
  }

  private static void add(char field, RequestBytes request) {
    switch (field) {
      case 'k', 'v', 's', 'b' -> request.string("x.proto");
      case 'e' -> request.u8(0x88);
      case 'n', 'x', 'a', 'c' -> request.i64(1);
      case 'i' -> request.vInt(1);
      case 'I' -> request.i32(1);
      case 'L' -> request.vInt(1).string("k");
      case 'P' -> request.vInt(1).string("k").string("v");
      case 'S', 'F' -> request.vInt(1); // -1, which stands for none
      case 'A', 'B' -> request.string("");
      case 'M', 'Y', 'R', 'l', 'u' -> request.u8(0);
      case 'T' -> request.vInt(0);
      case 'C' -> request.u8(0).i64(0);
      case 'X' -> request.vInt(1).string("k").u8(0).i64(1).u8(0x88).string("v");
      case 'D' -> {} // from 4.0 on
      default -> throw new AssertionError("no sample of a field: field=" + field);
    }
  }

  /** A login by name and password. */
  public static byte[] login(String user, String password) {
    return new RequestBytes(VERSION, Opcodes.AUTH)
        .cache("")
        .string("PLAIN")
        .string("\0" + user + "\0" + password)
        .bytes();
  }

  /** A request to run a task on a cache. */
  public static byte[] task(String name, String cache, Map<String, String> parameters) {
    RequestBytes request =
        new RequestBytes(VERSION, Opcodes.EXEC).cache(cache).string(name).vInt(parameters.size());
    parameters.forEach((parameter, value) -> request.string(parameter).string(value));
    return request.bytes();
  }

  /** Reads the next response, and returns its status and message as text. */
  public static String read(InputStream in) throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new AssertionError("connection closed by the server");
      }
      received.write(next);
      if (in.available() == 0) {
        try {
          WireInput input = new WireInput(received.toByteArray());
          Response response = Response.read(input, VERSION, 0);
          while (response.isEvent() && input.hasMore()) {
            response = Response.read(input, VERSION, 0);
          }
          if (!response.isEvent()) {
            return response.toString();
          }
        } catch (BufferUnderflowException incomplete) {
          // more bytes follow
        }
      }
    }
  }

  /** Whether a response of {@link #read} is a refusal for lack of permissions. */
  public static boolean isRefused(String response) {
    return response.contains("status=" + REFUSED)
        && response.contains("java.lang.SecurityException");
  }
}
