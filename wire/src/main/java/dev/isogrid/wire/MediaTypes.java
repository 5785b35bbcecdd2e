package dev.isogrid.wire;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The media types that Hot Rod has numbers for. */
public final class MediaTypes {
  /** Bytes that nothing is known of. */
  public static final String UNKNOWN = "application/unknown";

  /** Plain bytes. */
  public static final String OCTET_STREAM = "application/octet-stream";

  /** Text. */
  public static final String TEXT_PLAIN = "text/plain";

  /** JSON. */
  public static final String JSON = "application/json";

  /** Protocol buffers as ProtoStream wraps them. */
  public static final String PROTOSTREAM = "application/x-protostream";

  private static final @Nullable String[] NAMES = {
    null,
    "application/x-java-object",
    JSON,
    OCTET_STREAM,
    "application/pdf",
    "application/rtf",
    "application/zip",
    "image/gif",
    "image/jpeg",
    "image/png",
    "text/css",
    "text/csv",
    PROTOSTREAM,
    TEXT_PLAIN,
    "text/html",
    "application/x-jboss-marshalling",
    null,
    UNKNOWN,
  };

  private static final Map<String, Integer> IDS =
      IntStream.range(0, NAMES.length)
          .filter(id -> NAMES[id] != null)
          .boxed()
          .collect(Collectors.toUnmodifiableMap(id -> NAMES[id], id -> id));

  private MediaTypes() {}

  /** The number of a media type without parameters, in any case; 0 if it has none. */
  public static int idOf(String mediaType) {
    Integer id = IDS.get(mediaType);
    if (id == null) {
      id = IDS.get(mediaType.toLowerCase(Locale.ROOT));
    }
    return id == null ? 0 : id;
  }

  /** The media type of a number, or null if there is none. */
  public static @Nullable String nameOf(int id) {
    return id > 0 && id < NAMES.length ? NAMES[id] : null;
  }
}
