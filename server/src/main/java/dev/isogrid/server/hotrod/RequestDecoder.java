package dev.isogrid.server.hotrod;

import dev.isogrid.api.Expiry;
import dev.isogrid.base.EpochClock;
import dev.isogrid.wire.ExpiryUnits;
import dev.isogrid.wire.HotRod;
import dev.isogrid.wire.Opcodes;
import dev.isogrid.wire.RequestFlags;
import dev.isogrid.wire.SessionExtension;
import dev.isogrid.wire.Statuses;
import dev.isogrid.wire.Versions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/**
 * Turns the bytes of a connection into requests. For one connection.
 *
 * <p>A request that arrives in pieces is read again from its beginning when more bytes arrive. That
 * is cheap, since it has few fields, and their bytes are skipped. A list, which can be long,
 * continues at the last element. So the work is proportional to the bytes. No memory is allocated
 * for announced lengths, and requests above the limit are refused as soon as they announce it.
 */
final class RequestDecoder {
  /** The most parameters, more than any media type has. */
  private static final int MEDIA_TYPE_PARAMETERS_MAX = 16;

  /** The most parameters of a header; clients send two: those of a trace. */
  private static final int HEADER_PARAMETERS_MAX = 64;

  /** An element of a list, with the fewest bytes that one takes. */
  private enum Element {
    KEY(1),
    PAIR(2),
    CHANGE(2);

    private final int sizeMin;

    Element(int sizeMin) {
      this.sizeMin = sizeMin;
    }
  }

  /** Whether the last try came as far as the end of the header. */
  private boolean hasHeader;

  private final EpochClock clock;
  private final int requestSizeMax;
  private final WireReader reader;
  private final Request request;
  private final HeaderMemory last;

  /** Elements of the list that earlier tries skipped, and the index of their end. */
  private int listDone;

  private int listDoneOffset;

  /** W3C asks for at least so much of a state to be kept; a longer one is left out. */
  private static final int TRACE_SIZE_MAX = 512;

  private static final ByteBuf TRACE_PARENT = parameter("traceparent");
  private static final ByteBuf TRACE_STATE = parameter("tracestate");

  /** The number of the parameters last skipped. */
  private int parameters;

  /** Whether the last request was a new listener of a version without interests. */
  private boolean mayHaveStrayInterests;

  /**
   * Creates a decoder.
   *
   * @param request the object to fill
   * @param requestSizeMax the most bytes of a request
   * @param clock computes the distance of a point in time
   */
  RequestDecoder(Request request, int requestSizeMax, EpochClock clock) {
    this.request = request;
    this.requestSizeMax = requestSizeMax;
    this.clock = clock;
    this.reader = new WireReader(requestSizeMax);
    this.last = new HeaderMemory(request);
  }

  /**
   * Reads the next request, if it is complete.
   *
   * @param in the received bytes; a complete request is consumed, and the request object borrows
   *     the buffer
   * @return whether there is a request
   * @throws MalformedRequest if the bytes are not a request, or are too many; the message id of the
   *     request is set if it was read
   */
  boolean decode(ByteBuf in) {
    reader.begin(in);
    request.in = in;
    readHeader();
    hasHeader = !reader.isIncomplete();
    if (hasHeader) {
      readBody();
    }
    if (reader.isIncomplete()) {
      return false;
    }
    listDone = 0;
    in.readerIndex(reader.position());
    mayHaveStrayInterests =
        request.operation == Opcodes.ADD_CLIENT_LISTENER && request.version < Versions.V26;
    return true;
  }

  /**
   * Passes over the interests of the last request's listener, which clients in JavaScript send in
   * versions before 2.6, too. No request begins with this byte. Call it before each request.
   */
  void skipStrayInterests(ByteBuf in) {
    if (mayHaveStrayInterests && in.isReadable()) {
      mayHaveStrayInterests = false;
      if (in.getByte(in.readerIndex()) == ClientListener.ALL) {
        in.skipBytes(1);
      }
    }
  }

  /** As {@link #decode}, for a caller without earlier tries. */
  boolean decodeFresh(ByteBuf in) {
    listDone = 0;
    return decode(in);
  }

  /** Whether the header of an incomplete request was read. */
  boolean hasHeader() {
    return hasHeader;
  }

  private void readHeader() {
    request.messageId = 0;
    if (reader.u8() != HotRod.REQUEST_MAGIC && !reader.isIncomplete()) {
      throw new MalformedRequest(Statuses.INVALID_MAGIC_OR_ID, "not a Hot Rod request");
    }
    long messageId = reader.vLong();
    request.version = reader.u8();
    request.operation = reader.u8();
    if (reader.isIncomplete()) {
      return;
    }
    request.messageId = messageId;
    if (!Versions.isSupported(request.version)) {
      throw new MalformedRequest(
          Statuses.UNKNOWN_VERSION,
          "unknown version: version=%d; supported are %d to %d"
              .formatted(request.version, Versions.OLDEST, Versions.NEWEST));
    }
    int index = reader.position();
    if (last.isAt(request.in, index)) {
      reader.skip(last.size());
      last.recall(index);
      return;
    }
    readSharedFields();
    if (!reader.isIncomplete()) {
      last.note(index, reader.position());
    }
  }

  /** Reads what the requests of a connection have in common, as a rule. */
  private void readSharedFields() {
    readRange(request.cacheName);
    request.flags = reader.vInt();
    request.intelligence = reader.u8();
    request.topologyId = reader.vInt();
    request.keyType.setNone();
    request.valueType.setNone();
    request.traceParent.length = 0;
    request.traceState.length = 0;
    request.session.clear();
    if (request.version >= Versions.V28) {
      readMediaType(request.keyType);
      readMediaType(request.valueType);
    }
    if (request.version >= Versions.V40) {
      readParameters();
    }
  }

  /** Skips the parameters of the header, and reads Isogrid's own one. */
  private void readParameters() {
    int count = reader.length();
    if (count == 0) {
      return;
    }
    checkParameters(count, HEADER_PARAMETERS_MAX);
    for (int i = 0; i < count && !reader.isIncomplete(); i++) {
      int nameSize = reader.length();
      int name = reader.skip(nameSize);
      int size = reader.length();
      int value = reader.skip(size);
      boolean isSession =
          !reader.isIncomplete()
              && nameSize == SessionExtension.PARAMETER_SIZE
              && request.in.getShort(name) == SessionExtension.PARAMETER;
      if (isSession) {
        request.session.read(request.in, value, size);
      } else if (!reader.isIncomplete()) {
        readTrace(name, nameSize, value, size);
      }
    }
  }

  private void readTrace(int name, int nameSize, int value, int size) {
    if (size > TRACE_SIZE_MAX) {
      return;
    }
    if (is(TRACE_PARENT, name, nameSize)) {
      request.traceParent.set(value, size);
    } else if (is(TRACE_STATE, name, nameSize)) {
      request.traceState.set(value, size);
    }
  }

  private boolean is(ByteBuf wanted, int name, int nameSize) {
    return nameSize == wanted.capacity()
        && ByteBufUtil.equals(wanted, 0, request.in, name, nameSize);
  }

  private static ByteBuf parameter(String name) {
    return Unpooled.unreleasableBuffer(
        Unpooled.wrappedBuffer(name.getBytes(StandardCharsets.US_ASCII)).asReadOnly());
  }

  private static void checkParameters(int count, int countMax) {
    if (count > countMax) {
      throw new MalformedRequest(
          Statuses.PARSE_ERROR,
          "too many parameters in the header: count=%d, limit=%d".formatted(count, countMax));
    }
  }

  private void readMediaType(Request.MediaTypeField field) {
    int kind = reader.u8();
    switch (kind) {
      case HotRod.MEDIA_NONE -> {
        return;
      }
      case HotRod.MEDIA_PREDEFINED -> field.setPredefined(reader.vInt());
      case HotRod.MEDIA_CUSTOM -> {
        int length = reader.length();
        field.setCustom(reader.skip(length), length);
      }
      default ->
          throw new MalformedRequest(
              Statuses.PARSE_ERROR, "unknown kind of media type: kind=" + kind);
    }
    int index = skipParameters(MEDIA_TYPE_PARAMETERS_MAX);
    field.setParameters(index, parameters);
  }

  /** Skips parameters and notes their number; returns the index of the first one. */
  private int skipParameters(int countMax) {
    int count = reader.length();
    checkParameters(count, countMax);
    int index = reader.position();
    for (int i = 0; i < 2 * count && !reader.isIncomplete(); i++) {
      reader.skipBytes();
    }
    parameters = count;
    return index;
  }

  private void readBody() {
    String layout = RequestLayout.of(request.operation);
    if (layout == null) {
      throw new MalformedRequest(
          Statuses.UNKNOWN_OPERATION,
          "unknown operation: operation=" + Opcodes.describe(request.operation));
    }
    for (int i = 0; i < layout.length() && !reader.isIncomplete(); i++) {
      readField(layout.charAt(i));
    }
  }

  private void readField(char field) {
    switch (field) {
      case 'k' -> readRange(request.key);
      case 'v' -> readRange(request.value);
      case 'e' -> readExpiry();
      case 'n' -> request.entryVersion = reader.i64();
      case 'i' -> request.number = reader.vInt();
      case 'I' -> request.number = reader.i32();
      case 'l' -> request.last = reader.u8() != 0;
      case 's' -> readRange(request.text);
      case 'L' -> readList(Element.KEY);
      case 'P' -> readList(Element.PAIR);
      case 'X' -> readList(Element.CHANGE);
      case 'S' -> readOptionalRange(request.segments);
      case 'F' -> readFilter();
      case 'Y' -> request.includesState = reader.u8() != 0;
      case 'A' -> readFactory(request.filter, request.filterParameters);
      case 'B' -> readFactory(request.converter, request.converterParameters);
      case 'R' -> request.isRaw = request.version >= Versions.V21 && reader.u8() != 0;
      case 'T' -> request.interests = request.version >= Versions.V26 ? reader.vInt() : 0;
      case 'M' -> request.metadata = request.version >= Versions.V24 && reader.u8() != 0;
      case 'D' -> request.duplicates = request.version >= Versions.V40 && reader.u8() != 0;
      case 'a' -> request.operand = reader.i64();
      case 'c' -> request.secondOperand = reader.i64();
      case 'C' -> readCounter(request.counter);
      default -> skipField(field);
    }
  }

  private void skipField(char field) {
    switch (field) {
      case 'b' -> reader.skipBytes();
      case 'u' -> reader.skip(1);
      case 'x' -> reader.skip(Long.BYTES);
      default -> throw new AssertionError("no such field: " + field);
    }
  }

  private void readRange(Request.Range range) {
    int length = reader.length();
    range.set(reader.skip(length), length);
  }

  private void readFactory(Request.Range name, Request.Range parameters) {
    readRange(name);
    int count = name.length > 0 ? reader.u8() : 0;
    parameters.set(reader.position(), count);
    skipFields(count);
  }

  private void readOptionalRange(Request.Range range) {
    int length = reader.optionalLength();
    range.set(reader.skip(Math.max(0, length)), length);
  }

  private void readCounter(Request.CounterFields counter) {
    counter.flags = reader.u8();
    if ((counter.flags & HotRod.COUNTER_WEAK) != 0) {
      counter.concurrency = reader.vInt();
    }
    if ((counter.flags & HotRod.COUNTER_BOUNDED) != 0) {
      counter.lower = reader.i64();
      counter.upper = reader.i64();
    }
    counter.initial = reader.i64();
  }

  private void readFilter() {
    readOptionalRange(request.text);
    skipFilterParameters(request.text.length >= 0 && request.version >= Versions.V24);
  }

  private void skipFilterParameters(boolean present) {
    skipFields(present ? reader.u8() : 0);
  }

  private void skipFields(int count) {
    for (int i = 0; i < count && !reader.isIncomplete(); i++) {
      reader.skipBytes();
    }
  }

  private void readList(Element element) {
    int count = reader.length();
    if (reader.isIncomplete()) {
      return;
    }
    if ((long) count * element.sizeMin > requestSizeMax) {
      throw new MalformedRequest(
          Statuses.PARSE_ERROR,
          "list too long: count=%d, limit=%d bytes for the request"
              .formatted(count, requestSizeMax));
    }
    request.count = count;
    request.listIndex = reader.position();
    if (listDone > 0) {
      reader.goTo(listDoneOffset);
    }
    while (listDone < count) {
      skip(element);
      if (reader.isIncomplete()) {
        return;
      }
      listDone++;
      listDoneOffset = reader.offset();
    }
  }

  private void skip(Element element) {
    reader.skipBytes();
    switch (element) {
      case KEY -> {}
      case PAIR -> reader.skipBytes();
      case CHANGE -> skipRestOfChange();
    }
  }

  /** Skips what follows the key in a change of a transaction. */
  private void skipRestOfChange() {
    int control = reader.u8();
    if ((control & (HotRod.CHANGE_NOT_READ | HotRod.CHANGE_OF_ABSENT)) == 0) {
      reader.skip(Long.BYTES);
    }
    if ((control & HotRod.CHANGE_REMOVES) == 0) {
      readExpiry();
      reader.skipBytes();
    }
  }

  private void readExpiry() {
    if (request.version < Versions.V22) {
      request.lifespanMillis = seconds(reader.vInt(), RequestFlags.DEFAULT_LIFESPAN);
      request.maxIdleMillis = seconds(reader.vInt(), RequestFlags.DEFAULT_MAX_IDLE);
      return;
    }
    int units = reader.u8();
    int unit = units >> 4;
    boolean isMoment = unit == ExpiryUnits.MOMENT && request.takesTimes;
    request.lifespanMillis = isMoment ? untilMoment(reader.vLong()) : time(unit);
    request.maxIdleMillis = time(units & 0x0F);
  }

  private long seconds(int seconds, int defaultFlag) {
    if (seconds == 0 && (request.flags & defaultFlag) != 0) {
      return Expiry.CACHE_DEFAULT;
    }
    if (seconds <= 0) {
      return Expiry.UNLIMITED; // clients in Java send -1 for that
    }
    return fromNow(ExpiryUnits.toMillis(seconds, ExpiryUnits.SECONDS));
  }

  private long time(int unit) {
    if (!ExpiryUnits.isValid(unit) || unit == ExpiryUnits.MOMENT) {
      throw new MalformedRequest(Statuses.SERVER_ERROR, "unknown unit of time: unit=" + unit);
    }
    if (!ExpiryUnits.hasNumber(unit)) {
      return unit == ExpiryUnits.DEFAULT ? Expiry.CACHE_DEFAULT : Expiry.UNLIMITED;
    }
    return fromNow(ExpiryUnits.toMillis(reader.vLong(), unit));
  }

  /** The milliseconds from now: old clients express a point in time by a long duration. */
  private long fromNow(long millis) {
    if (request.version >= Versions.V30 || millis <= ExpiryUnits.POINT_IN_TIME_ABOVE_MILLIS) {
      return millis;
    }
    return untilMoment(millis);
  }

  private long untilMoment(long millis) {
    return Math.max(0, millis - clock.millis());
  }
}
