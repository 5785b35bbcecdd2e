package dev.isogrid.server.rest;

import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import dev.isogrid.codec.Conversion;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.engine.EntryWalk;
import dev.isogrid.store.BinaryKey;
import dev.isogrid.store.Bytes;
import dev.isogrid.store.EntryView;
import dev.isogrid.wire.MediaTypes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the keys or entries of a cache as a JSON array, part by part. An entry that exists
 * throughout is written exactly once, whatever nodes come and go. An entry that is added, removed
 * or changed meanwhile is written in its old or new state, if at all. Holds a page of each node, or
 * the references of one segment. Not thread-safe.
 */
final class ListingWriter implements BodyParts {
  /** The bytes after which a part ends: a few packets. */
  private static final int PART_SIZE = 1 << 14;

  /** The entries after which a part ends, even if it is small. */
  private static final int PART_STEPS_MAX = 1024;

  /** Digits of the length of a part. */
  private static final int LENGTH_DIGITS = 8;

  private final Listing listing;
  private final boolean chunked;

  /** The conversion of keys and values to text; null for none. */
  private final @Nullable Form keys;

  private final @Nullable Form values;
  private final EntryView<BinaryKey, Bytes> view;
  private long left;
  private final EntryWalk<BinaryKey, Bytes> walk;

  /** The texts to come of an entry that is too large for a part. */
  private final ArrayDeque<JsonText> rest = new ArrayDeque<>();

  private boolean opened;
  private boolean begun;

  /**
   * Creates a writer.
   *
   * @param chunked whether parts are framed as chunks of HTTP/1.1
   */
  ListingWriter(Listing listing, boolean chunked) {
    this.listing = listing;
    this.chunked = chunked;
    CacheConfig config = listing.engine().config();
    this.keys = form(listing.transcoder(), config.keyMediaType());
    this.values = form(listing.transcoder(), config.valueMediaType());
    this.view = listing.engine().newView();
    BitSet all = new BitSet();
    all.set(0, listing.engine().segmentCount());
    this.walk = listing.engine().walk(all, !listing.keysOnly());
    this.left = listing.limit() < 0 ? Long.MAX_VALUE : listing.limit();
  }

  /** The two forms of ProtoStream content. */
  record Form(Conversion toText, Conversion toJson) {}

  /** The conversion of bytes of a media type to text; null for none. */
  static @Nullable Form form(Transcoder transcoder, String mediaType) {
    if (!Listing.isShownAsJson(mediaType)) {
      return null;
    }
    return new Form(
        Objects.requireNonNull(transcoder.find(mediaType, MediaTypes.TEXT_PLAIN)),
        Objects.requireNonNull(transcoder.find(mediaType, MediaTypes.JSON)));
  }

  @Override
  public boolean writePart(ByteBuf out) {
    int start = out.writerIndex();
    if (chunked) {
      out.writeZero(LENGTH_DIGITS);
      ByteBufUtil.writeAscii(out, "\r\n");
    }
    int contentStart = out.writerIndex();
    boolean done = writeEntries(out, contentStart);
    if (chunked) {
      endPart(out, start, contentStart, done);
    }
    return done;
  }

  private static void endPart(ByteBuf out, int start, int contentStart, boolean done) {
    int length = out.writerIndex() - contentStart;
    if (length == 0) {
      out.writerIndex(start); // an empty part would end the body
    } else {
      String digits = "%08x".formatted(length);
      out.setCharSequence(start, digits, StandardCharsets.US_ASCII);
      ByteBufUtil.writeAscii(out, "\r\n");
    }
    if (done) {
      ByteBufUtil.writeAscii(out, "0\r\n\r\n");
    }
  }

  private boolean writeEntries(ByteBuf out, int start) {
    if (!opened) {
      opened = true;
      out.writeByte('[');
    }
    for (int steps = 0; steps < PART_STEPS_MAX; steps++) {
      if (out.writerIndex() - start >= PART_SIZE) {
        return false;
      }
      if (!rest.isEmpty()) {
        if (rest.getFirst().writePart(out, PART_SIZE)) {
          rest.removeFirst();
        }
        continue;
      }
      if (left == 0 || !walk.next(view)) {
        walk.close();
        out.writeByte(']');
        return true;
      }
      writeEntry(out);
      left--;
    }
    return false;
  }

  private void writeEntry(ByteBuf out) {
    if (begun) {
      out.writeByte(',');
    }
    begun = true;
    byte[] key = view.key().toByteArray();
    if (listing.keysOnly()) {
      write(out, listing.isRaw() ? JsonText.base64(key) : JsonText.of(text(key, keys)));
      return;
    }
    writeKeyAndValue(out, key);
    if (listing.metadata()) {
      writeMetadata(out);
    }
    write(out, "}");
  }

  /** Writes a value of JSON, or its beginning, if nothing waits to be written before. */
  private void write(ByteBuf out, JsonText text) {
    if (!rest.isEmpty() || !text.writePart(out, PART_SIZE)) {
      rest.add(text);
    }
  }

  private void write(ByteBuf out, String ascii) {
    if (rest.isEmpty()) {
      ByteBufUtil.writeAscii(out, ascii);
    } else {
      rest.add(JsonText.raw(ascii.getBytes(StandardCharsets.US_ASCII)));
    }
  }

  private void writeKeyAndValue(ByteBuf out, byte[] key) {
    write(out, "{\"key\":");
    byte[] value = view.value().toByteArray();
    if (!listing.isRaw()) {
      write(out, json(key, keys));
      write(out, ",\"value\":");
      write(out, json(value, values));
      return;
    }
    write(out, JsonText.base64(key));
    write(out, ",\"value\":");
    write(out, JsonText.base64(value));
    String type = view.mediaType();
    if (type != null) {
      write(out, ",\"type\":");
      write(out, JsonText.of(type.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Writes stored bytes. */
  static void writeBase64(ByteBuf out, byte[] bytes) {
    JsonText.base64(bytes).writeAll(out);
  }

  private void writeMetadata(ByteBuf out) {
    writeNumber(out, "timeToLiveSeconds", EntryTimes.seconds(view.lifespanMillis()));
    writeNumber(out, "maxIdleTimeSeconds", EntryTimes.seconds(view.maxIdleMillis()));
    writeNumber(out, "created", view.createdMillis());
    writeNumber(out, "lastUsed", view.lastUsedMillis());
    writeNumber(out, "expireTime", EntryTimes.endMillis(view));
    writeNumber(out, "version", view.version());
  }

  private void writeNumber(ByteBuf out, String name, long number) {
    write(out, ",\"" + name + "\":" + number);
  }

  /** A wrapped scalar as text, a message as JSON; everything else unchanged. */
  static byte[] text(byte[] stored, @Nullable Form form) {
    if (form == null) {
      return stored;
    }
    byte[] text = tryConvert(form.toText(), stored);
    byte[] json = text == null ? tryConvert(form.toJson(), stored) : text;
    return json == null ? stored : json;
  }

  /** Writes ProtoStream content as JSON; everything else as text in quotes. */
  static void writeJson(ByteBuf out, byte[] stored, @Nullable Form form) {
    json(stored, form).writeAll(out);
  }

  private static JsonText json(byte[] stored, @Nullable Form form) {
    byte[] json = form == null ? null : tryConvert(form.toJson(), stored);
    return json == null ? JsonText.of(text(stored, form)) : JsonText.raw(json);
  }

  private static byte @Nullable [] tryConvert(Conversion conversion, byte[] stored) {
    try {
      return conversion.convert(stored);
    } catch (InvalidRequestException e) {
      return null; // has no such form: shown in another one
    }
  }
}
