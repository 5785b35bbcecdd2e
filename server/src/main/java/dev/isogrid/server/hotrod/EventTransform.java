package dev.isogrid.server.hotrod;

import dev.isogrid.api.CacheEvent;
import dev.isogrid.api.CacheEventConverter;
import dev.isogrid.api.CacheEventFilter;
import dev.isogrid.api.CacheEventFilterConverter;
import dev.isogrid.server.task.TaskValues;
import org.jspecify.annotations.Nullable;

/**
 * Calls the deployed filter and converter of one listener for its events. For one thread at a time,
 * which runs users' code that may block.
 */
final class EventTransform {
  /** The part of users' code. */
  private interface Step {
    /** The content of the event; null if it is left out. */
    @Nullable Object content(CacheEvent<Object, Object> event) throws Exception;
  }

  /** A mark in place of content. */
  private enum Mark {
    /** There is no converter. */
    UNCONVERTED,
    /** The converter returned nothing. */
    NOTHING
  }

  /**
   * The form of the objects that users' code receives and returns.
   *
   * @param isRaw whether they are stored bytes instead of objects
   * @param keys the media type of stored keys
   * @param values the media type of stored values
   * @param results the media type for the client; null if it requests none
   */
  record Formats(boolean isRaw, String keys, String values, @Nullable String results) {}

  private final Formats formats;
  private final EventContent content;
  private final Step step;

  private EventTransform(Formats formats, EventContent content, Step step) {
    this.formats = formats;
    this.content = content;
    this.step = step;
  }

  /**
   * Makes a transform with a filter, a converter or both.
   *
   * @param content the content of events if there is no converter
   */
  @SuppressWarnings("unchecked") // the users' code knows what the cache holds
  static EventTransform of(
      @Nullable CacheEventFilter<?, ?> filter,
      @Nullable CacheEventConverter<?, ?> converter,
      EventContent content,
      Formats formats) {
    CacheEventFilter<Object, Object> accepting = (CacheEventFilter<Object, Object>) filter;
    CacheEventConverter<Object, Object> making = (CacheEventConverter<Object, Object>) converter;
    return new EventTransform(
        formats,
        converter == null ? content : EventContent.MADE,
        event -> {
          if (accepting != null && !accepting.accepts(event)) {
            return null;
          }
          if (making == null) {
            return Mark.UNCONVERTED;
          }
          Object made = making.convert(event);
          return made == null ? Mark.NOTHING : made;
        });
  }

  /** Makes a transform with a filter that converts. */
  @SuppressWarnings("unchecked") // as above
  static EventTransform of(CacheEventFilterConverter<?, ?> both, Formats formats) {
    CacheEventFilterConverter<Object, Object> making =
        (CacheEventFilterConverter<Object, Object>) both;
    return new EventTransform(formats, EventContent.MADE, making::filterAndConvert);
  }

  /** The content of the listener's events. */
  EventContent content() {
    return content;
  }

  /**
   * The event for the client; null if it is left out.
   *
   * @throws Exception the exception of the users' code
   */
  @Nullable ClientEvent apply(ClientEvent event) throws Exception {
    Object made = step.content(shown(event));
    if (made == null) {
      return null;
    }
    if (made == Mark.UNCONVERTED) {
      return event.reducedTo(content);
    }
    return event.with(made == Mark.NOTHING ? new byte[0] : bytes(made));
  }

  private CacheEvent<Object, Object> shown(ClientEvent event) {
    return new CacheEvent<>(
        event.kind(),
        object(event.key().toByteArray(), formats.keys),
        value(event.value()),
        value(event.previous()),
        event.version());
  }

  private @Nullable Object value(@Nullable EventValue value) {
    return value == null ? null : object(value.copied().toByteArray(), formats.values);
  }

  private Object object(byte[] stored, String mediaType) {
    return formats.isRaw ? stored : TaskValues.parameter(stored, mediaType);
  }

  private byte[] bytes(Object made) {
    if (!formats.isRaw) {
      return TaskValues.result(made, formats.results);
    }
    if (made instanceof byte[] raw) {
      return raw;
    }
    throw new ClassCastException(
        "a converter for raw data makes arrays of bytes only: class=" + made.getClass().getName());
  }
}
