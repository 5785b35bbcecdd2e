package dev.isogrid.client;

import dev.isogrid.api.FatalGridException;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.api.RetryableGridException;
import dev.isogrid.types.SchemaRegistry;
import dev.isogrid.wire.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of the servers, which are entries of one of their caches. Thread-safe; each method is
 * a few round trips. They are called at the first use of a class only.
 */
final class RemoteSchemas implements SchemaRegistry {
  /** The servers' cache of schema files by their names. */
  static final String CACHE = "___protobuf_metadata";

  /** The suffix of an entry's key, after a file's name, that holds the errors of the file. */
  private static final String ERRORS = ".errors";

  private final Router router;
  private final RequestFormat format;

  /**
   * Creates one.
   *
   * @param format of the cache, for text in ProtoStream's form
   */
  RemoteSchemas(Router router, RequestFormat format) {
    this.router = router;
    this.format = format;
  }

  /** The cause of the failure of a thread that must not wait for schemas. */
  static final class MustNotWait extends RuntimeException {
    private static final long serialVersionUID = 1;

    private MustNotWait() {
      super("this thread reads the answers", null, false, false);
    }
  }

  /** Whether something failed only since its thread must not wait for schemas. */
  static boolean mustNotWait(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof MustNotWait) {
        return true;
      }
    }
    return false;
  }

  private static void checkMayWait(String file) {
    if (Transport.inEventLoop()) {
      throw new RetryableGridException(
          ("schema is not known yet: file=%s; this thread reads the answers and must not wait for"
                  + " it: write objects of a new class by another thread (thenApplyAsync)")
              .formatted(file),
          new MustNotWait());
    }
  }

  private byte[] key(String text) {
    return format.keys().keyBytes(text);
  }

  private @Nullable String text(String name) {
    return router.call(new GetOperation<String>(format, key(name)));
  }

  @Override
  public @Nullable String schema(String file) {
    checkMayWait(file);
    try {
      return text(file);
    } catch (HotRodClientException cause) {
      throw failure("schema can't be read: file=%s, reason=%s", file, cause);
    }
  }

  private static RuntimeException failure(
      String message, String file, HotRodClientException cause) {
    String text = message.formatted(file, cause.getMessage());
    return cause instanceof ServerErrorException
        ? new FatalGridException(text, cause)
        : new RetryableGridException(text, cause);
  }

  @Override
  public boolean replace(String file, @Nullable String expected, String text) {
    checkMayWait(file);
    try {
      if (!write(file, expected, text)) {
        return false;
      }
    } catch (HotRodClientException cause) {
      throw failure(
          "schema can't be written: file=%s, reason=%s; if this user may not, let another one"
              + " upload the result of ObjectMarshaller.schemas(TheClass.class), here:\n"
              + text.replace("%", "%%"),
          file,
          cause);
    }
    String wrong = text(file + ERRORS);
    if (wrong != null) {
      throw new InvalidRequestException(
          "schema is refused by the servers: file=%s, reason=%s; the schema:\n%s"
              .formatted(file, wrong, text));
    }
    return true;
  }

  private boolean write(String file, @Nullable String expected, String text) {
    WrittenValue written = WrittenValue.of(format.values(), text, Lifetime.DEFAULT);
    byte[] key = key(file);
    if (expected == null) {
      RequestFormat returning = format.withFlags(Flag.FORCE_RETURN_VALUE.bit());
      String present =
          router.call(
              new WriteOperation.Returning<String>(returning, key, Opcodes.PUT_IF_ABSENT, written));
      return present == null || present.equals(text);
    }
    MetadataValue<String> present = router.call(new GetWithMetadataOperation<String>(format, key));
    return present != null
        && present.value().equals(expected)
        && router.call(new WriteOperation.Versioned(format, key, written, present.version()));
  }
}
