package dev.isogrid.server.hotrod;

import dev.isogrid.codec.ByteString;
import dev.isogrid.codec.Transcoder;
import dev.isogrid.server.task.ListenerFactories;
import dev.isogrid.server.task.TaskValues;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.MediaTypes;
import io.netty.buffer.ByteBufUtil;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads requests that add listeners. Runs the code of deployed factories. Thread-safe. */
final class ListenerRequest {
  private static final int NEAR_INTERESTS =
      ClientListener.MODIFIED | ClientListener.REMOVED | ClientListener.EXPIRED;

  private final ListenerFactories factories;

  ListenerRequest(ListenerFactories factories) {
    this.factories = factories;
  }

  /** The id of the listener. */
  static ByteString id(Request request) {
    return ByteString.of(ByteBufUtil.getBytes(request.in, request.key.index, request.key.length));
  }

  /** The terms of a listener for a near cache. */
  ListenerTerms nearTerms(CacheHandle cache, Request request, @Nullable NearFilter near) {
    EventFormat format = format(cache, request, EventContent.PLAIN);
    return new ListenerTerms(format, request.messageId, NEAR_INTERESTS, near, null);
  }

  /**
   * The terms of a user's listener.
   *
   * @throws dev.isogrid.api.InvalidRequestException if the server lacks a named factory
   */
  ListenerTerms terms(CacheHandle cache, Request request) {
    String filter = request.textAt(request.filter);
    String converter = request.textAt(request.converter);
    EventContent own = own(converter);
    EventTransform transform =
        filter.isEmpty() && own != EventContent.MADE
            ? null
            : transform(cache, request, filter, converter);
    EventFormat format = format(cache, request, transform == null ? own : transform.content());
    return new ListenerTerms(format, request.messageId, request.interests, null, transform);
  }

  /** The content of events for a converter's name; deployed converters make their own. */
  private static EventContent own(String converter) {
    return switch (converter) {
      case "" -> EventContent.PLAIN;
      case HotRod.KEY_VALUE_VERSION_CONVERTER -> EventContent.KEY_VALUE_VERSION;
      case HotRod.KEY_VALUE_PREVIOUS_CONVERTER -> EventContent.KEY_VALUE_PREVIOUS;
      default -> EventContent.MADE;
    };
  }

  private EventTransform transform(
      CacheHandle cache, Request request, String filter, String converter) {
    EventTransform.Formats formats =
        new EventTransform.Formats(
            request.isRaw,
            shown(cache.keyType, request.keyMediaType()),
            shown(cache.valueType, request.valueMediaType()),
            request.valueMediaType());
    if (filter.equals(converter)) {
      boolean isOfFilter = request.filterParameters.length > 0;
      Request.Range sent = isOfFilter ? request.filterParameters : request.converterParameters;
      return EventTransform.of(
          factories.filterConverter(filter, parameters(request, sent)), formats);
    }
    EventContent own = own(converter);
    return EventTransform.of(
        filter.isEmpty()
            ? null
            : factories.filter(filter, parameters(request, request.filterParameters)),
        own == EventContent.MADE
            ? factories.converter(converter, parameters(request, request.converterParameters))
            : null,
        own,
        formats);
  }

  /** The media type in which users' code receives stored objects. */
  private static String shown(@Nullable String stored, @Nullable String requested) {
    String known = stored == null ? requested : stored;
    if (known == null) {
      return MediaTypes.UNKNOWN;
    }
    return known.equals(Transcoder.JAVA_OBJECT) ? MediaTypes.PROTOSTREAM : known;
  }

  private static List<Object> parameters(Request request, Request.Range sent) {
    String mediaType = request.valueMediaType();
    FieldCursor cursor = new FieldCursor();
    cursor.begin(request.in, sent.index);
    List<Object> parameters = new ArrayList<>();
    Request.Range field = new Request.Range();
    for (int i = 0; i < sent.length; i++) {
      cursor.next(field);
      byte[] bytes = ByteBufUtil.getBytes(request.in, field.index, field.length);
      parameters.add(request.isRaw ? bytes : TaskValues.parameter(bytes, mediaType));
    }
    return List.copyOf(parameters);
  }

  private static EventFormat format(CacheHandle cache, Request request, EventContent content) {
    String keys = request.keyMediaType();
    String values = request.valueMediaType();
    KeyValuePrevious previous =
        content == EventContent.KEY_VALUE_PREVIOUS
            ? new KeyValuePrevious(bare(keys, cache.keyType), bare(values, cache.valueType))
            : null;
    return new EventFormat(
        id(request),
        content,
        previous,
        request.isRaw,
        cache.keys.toRequested(keys),
        cache.values.toRequested(values));
  }

  /** The format for a client, without parameters. */
  private static String bare(@Nullable String requested, @Nullable String stored) {
    String known = requested == null ? shown(stored, null) : requested;
    int end = known.indexOf(';');
    return end < 0 ? known : known.substring(0, end);
  }
}
