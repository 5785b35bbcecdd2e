package dev.isogrid.server.hotrod;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The input, output and end of a connection. */
class ConnectionTest {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;
  private static final int PING = 0x17;
  private static final int SIZE = 0x29;

  private final TestServer server = new TestServer().with("c");
  private final TestServer.Connection connection = server.connect();

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private static RequestBytes ping() {
    return new RequestBytes(41, PING);
  }

  private static RequestBytes get(String key) {
    return new RequestBytes(41, GET).string(key);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private List<Response> responses(int version) {
    WireInput in = new WireInput(connection.received());
    List<Response> responses = new ArrayList<>();
    while (in.hasMore()) {
      responses.add(Response.read(in, version, 0));
    }
    return responses;
  }

  private void put(String key, byte[] value) {
    connection.call(new RequestBytes(41, PUT).string(key).u8(0x88).bytes(value));
  }

  /** Checks that a request was refused with one answer and that the connection then ends. */
  private void assertRefused(byte[] request, int status, long id, String message) {
    connection.send(request);
    Response response = connection.response(ping());
    assertEquals(0x50, response.operation());
    assertEquals(status, response.status());
    assertEquals(id, response.id());
    assertEquals(message, response.field("message"));
    connection.send(ping().bytes());
    assertEquals(0, connection.received().length);
    assertTrue(connection.channel.isOpen());
    connection.passFarewell();
    assertFalse(connection.channel.isOpen());
  }

  @Test
  void requests_inOnePiece_areAllAnsweredInOrder() {
    put("k", new byte[] {'v'});
    connection.send(
        joined(ping().id(20).bytes(), get("k").id(21).bytes(), get("none").id(300).bytes()));
    List<Response> responses = responses(41);
    assertEquals(List.of(20L, 21L, 300L), responses.stream().map(Response::id).toList());
    assertEquals("v", responses.get(1).text("value"));
    assertEquals(2, responses.get(2).status());
  }

  @Test
  void requestsOfAllKinds_inOnePiece_areAnsweredAsOneByOne() {
    List<byte[]> requests = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      requests.add(new RequestBytes(41, PUT).string("k" + i).u8(0x88).string("v" + i).bytes());
      requests.add(get("k" + i).bytes());
      requests.add(get("none").bytes());
      if (i % 7 == 0) {
        requests.add(ping().bytes());
        requests.add(new RequestBytes(41, GET).cache("missing").string("k").bytes());
        requests.add(new RequestBytes(41, GET).types(99, 99).string("k").bytes());
      }
    }
    requests.add(new byte[] {1, 2, 3});

    for (byte[] request : requests) {
      connection.send(request);
    }
    byte[] oneByOne = connection.received();
    byte[] together;
    try (TestServer other = new TestServer().with("c");
        TestServer.Connection second = other.connect()) {
      second.send(joined(requests.toArray(byte[][]::new)));
      together = second.received();
    }

    assertTrue(oneByOne.length > 1_000, "bytes: " + oneByOne.length);
    assertArrayEquals(oneByOne, together);
  }

  @Test
  void request_withIdZeroOrLargest_isAnsweredWithIt() {
    assertEquals(0, connection.call(ping().id(0)).id());
    assertEquals(Long.MAX_VALUE, connection.call(ping().id(Long.MAX_VALUE)).id());
  }

  @Test
  void largeReplies_betweenSmallOnes_areIntact() {
    byte[] large = new byte[100_000];
    put("k", large);
    RequestBytes exchange = new RequestBytes(41, PUT).flags(1).string("k").u8(0x88).bytes(large);
    connection.send(
        joined(
            ping().id(1).bytes(),
            exchange.id(2).bytes(),
            get("none").id(3).bytes(),
            new RequestBytes(41, 0x05).id(4).flags(1).string("k").u8(0x88).string("").bytes(),
            get("k").id(5).bytes(),
            ping().id(6).bytes()));
    List<Response> responses = responses(41);
    assertEquals(List.of(0, 3, 2, 4, 0, 0), responses.stream().map(Response::status).toList());
    assertEquals(200_000, responses.get(1).field("previous").length());
    assertEquals(200_000, responses.get(3).field("previous").length());
    assertEquals(200_000, responses.get(4).field("value").length());
  }

  @Test
  void requests_inAllPossiblePieces_areAnswered() {
    byte[] two =
        joined(
            new RequestBytes(41, PUT)
                .types(12, 12)
                .string("k")
                .u8(0x11)
                .vLong(9)
                .vLong(9)
                .string("value")
                .bytes(),
            new RequestBytes(41, 0x2F).id(8).vInt(2).string("k").string("none").bytes());
    for (int split = 0; split <= two.length; split++) {
      connection.send(Arrays.copyOf(two, split));
      connection.send(Arrays.copyOfRange(two, split, two.length));
      List<Response> responses = responses(41);
      assertEquals(2, responses.size());
      assertEquals(1, responses.get(1).all("entry").size());
    }
  }

  @Test
  void anotherMagic_isRefused() {
    assertRefused(new byte[] {(byte) 0xB0, 1, 2, 3}, 0x81, 0, "not a Hot Rod request");
  }

  @Test
  void junkAfterARequest_isAnsweredAfterIt() {
    connection.send(joined(ping().bytes(), new byte[] {1, 2, 3}));
    List<Response> responses = responses(41);
    assertEquals(List.of(0, 0x81), responses.stream().map(Response::status).toList());
    assertEquals(0, responses.get(1).id());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 13, 19, 42, 50, 255})
  void unknownVersion_isRefused(int version) {
    assertRefused(
        new RequestBytes(version, PING).bytes(),
        0x83,
        7,
        "unknown version: version=" + version + "; supported are 20 to 41");
  }

  @ParameterizedTest
  @ValueSource(ints = {0x00, 0x02, 0x4A, 0x50, 0x60, 0xFF})
  void unknownOperation_isRefused(int operation) {
    assertRefused(
        new RequestBytes(41, operation).bytes(),
        0x82,
        7,
        "unknown operation: operation=0x%02X".formatted(operation));
  }

  private static RequestBytes prepare(int version, int operation) {
    RequestBytes request = new RequestBytes(version, operation).vInt(1).string("a").string("b");
    request.u8(1);
    return operation == 0x7D ? request.u8(0).i64(60_000) : request;
  }

  @ParameterizedTest
  @CsvSource({"27, 0x3B", "41, 0x3B", "29, 0x7D", "40, 0x7D", "41, 0x7D"})
  void preparedTransaction_isRefusedAndTheConnectionGoesOn(int version, int operation) {
    RequestBytes empty = prepare(version, operation).vInt(0);
    RequestBytes changes = prepare(version, operation).vInt(4);
    changes.string("read").u8(0).i64(7).u8(0x11).vLong(1000).vLong(300).string("value");
    changes.string("notRead").u8(1).u8(0x77).string("value");
    changes.string("absent").u8(2).u8(0x88).string("");
    changes.string("removed").u8(4).i64(7);
    for (RequestBytes request : List.of(empty, changes)) {
      Response response = connection.call(request);
      assertEquals(0x85, response.status());
      assertEquals(0x50, response.operation());
      assertTrue(
          response.field("message").contains("no transactions: cache=c"), response::toString);
      assertEquals(0, connection.call(new RequestBytes(version, PING)).status());
    }
    Response missing = connection.call(prepare(version, operation).vInt(0).cache("no"));
    assertEquals(0x84, missing.status());
  }

  @Test
  void preparedTransaction_inAllPossiblePieces_isAnsweredOnce() {
    RequestBytes request = prepare(41, 0x7D).vInt(2);
    request.string("read").u8(0).i64(7).u8(0x11).vLong(1000).vLong(300).string("value");
    byte[] bytes = request.string("gone").u8(5).bytes();
    for (int split = 0; split <= bytes.length; split++) {
      connection.send(Arrays.copyOf(bytes, split));
      connection.send(Arrays.copyOfRange(bytes, split, bytes.length));
      assertEquals(List.of(0x85), responses(41).stream().map(Response::status).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 21, 25, 26, 31, 41})
  void operationNotCarriedOut_isAnsweredAndTheConnectionGoesOn(int version) {
    Response response = connection.call(new RequestBytes(version, 0x1F).string("q"));
    assertEquals(0x82, response.status());
    assertEquals(0x50, response.operation());
    assertTrue(response.field("message").contains("0x1F (query)"));
    assertEquals(0x82, connection.call(new RequestBytes(version, 0x7B).cache("no")).status());
    RequestBytes commit = new RequestBytes(version, 0x3D).vInt(1).string("a").string("b");
    assertEquals(0x82, connection.call(commit).status());
    assertEquals(0, connection.call(new RequestBytes(version, PING)).status());
  }

  @Test
  void announcedLength_aboveTheLimit_isRefusedBeforeAnythingIsKept() {
    long before = connection.usedMemory();
    byte[] request = new RequestBytes(41, PUT).vInt(2_000_000_000).bytes();
    int header = request.length;
    assertRefused(
        request,
        0x84,
        7,
        "request too large: size=%d or more, limit=1048576; send smaller values or fewer at once"
            .formatted(header + 2_000_000_000L));
    assertEquals(before, connection.usedMemory());
  }

  @Test
  void requestOfExactlyTheLimit_isExecuted() {
    int overhead = new RequestBytes(41, PUT).string("k").u8(0x88).vInt(1 << 20).bytes().length;
    byte[] value = new byte[TestServer.CONTENT_LENGTH_MAX - overhead];
    connection.send(new RequestBytes(41, PUT).string("k").u8(0x88).bytes(value).bytes(), 1 << 16);
    assertEquals(0, connection.response(ping()).status() & 0x80);
    connection.send(get("k").bytes());
    assertEquals(2 * value.length, connection.response(get("k")).field("value").length());
    assertRefused(
        new RequestBytes(41, PUT).string("k").u8(0x88).bytes(new byte[value.length + 1]).bytes(),
        0x84,
        7,
        "request too large: size=1048577 or more, limit=1048576;"
            + " send smaller values or fewer at once");
  }

  @Test
  void keyOfAlmostTheLimit_isAKey() {
    String key = "k".repeat(TestServer.CONTENT_LENGTH_MAX - 200);
    connection.call(new RequestBytes(41, PUT).string(key).u8(0x88).string("v"));
    assertEquals("v", connection.call(get(key)).text("value"));
    assertEquals(2, connection.call(get(key + "x")).status());
  }

  @ParameterizedTest
  @ValueSource(longs = {0xFFFFFFFFL, 0x80000000L})
  void negativeLength_isRefused(long length) {
    assertRefused(
        new RequestBytes(41, GET).vInt(length).bytes(),
        0x84,
        7,
        "negative length: length=" + (int) length);
  }

  @Test
  void numberThatIsTooLong_isRefused() {
    byte[] header = new RequestBytes(41, GET).bytes();
    byte[] fiveBytes = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x10};
    assertRefused(joined(header, fiveBytes), 0x84, 7, "number of more than 32 bits");
  }

  @Test
  void numberThatIsTooLongForALong_isRefused() {
    byte[] id = new byte[11];
    Arrays.fill(id, (byte) 0xFF);
    id[0] = (byte) 0xA0;
    assertRefused(id, 0x84, 0, "number of more than 63 bits");
  }

  @Test
  void listLongerThanTheLimit_isRefusedAtOnce() {
    assertRefused(
        new RequestBytes(41, 0x2F).vInt(2_000_000_000).bytes(),
        0x84,
        7,
        "list too long: count=2000000000, limit=1048576 bytes for the request");
  }

  @Test
  void tooManyParametersInTheHeader_areRefused() {
    byte[] ping = new RequestBytes(31, PING).bytes();
    byte[] v40 = ping.clone();
    v40[2] = 40;
    assertRefused(
        joined(v40, new byte[] {65}),
        0x84,
        7,
        "too many parameters in the header: count=65, limit=64");
  }

  @Test
  void unknownKindOfMediaType_isRefused() {
    byte[] ping = new RequestBytes(31, PING).bytes();
    ping[ping.length - 1] = 3;
    assertRefused(ping, 0x84, 7, "unknown kind of media type: kind=3");
  }

  @Test
  void requestsAfterOneThatIsExecutedAside_areAnsweredMeanwhile() {
    server.runsAsideAtOnce = false;
    connection.send(
        joined(
            ping().id(1).bytes(),
            new RequestBytes(41, SIZE).id(2).bytes(),
            get("k").id(3).bytes()));
    connection.send(new RequestBytes(41, SIZE).id(4).bytes());
    assertEquals(List.of(1L, 3L), responses(41).stream().map(Response::id).toList());
    assertTrue(connection.channel.config().isAutoRead());

    server.aside.removeLast().run();
    server.aside.removeLast().run();
    connection.channel.runPendingTasks();
    assertEquals(List.of(4L, 2L), responses(41).stream().map(Response::id).toList());
    assertTrue(server.aside.isEmpty());
  }

  @Test
  void connectionThatEndsWhileSomethingIsExecutedAside_isCleanedUp() {
    server.runsAsideAtOnce = false;
    connection.send(joined(new RequestBytes(41, SIZE).bytes(), get("k").bytes()));
    connection.received();
    connection.channel.close();
    server.aside.remove().run();
    connection.channel.runPendingTasks();
    assertEquals(0, connection.usedMemory());
  }

  @Test
  void failureOfWhatIsExecutedAside_isAnswered() {
    server.runsAsideAtOnce = false;
    connection.send(joined(new RequestBytes(41, SIZE).bytes()));
    server.node.removeCache("c");
    server.aside.remove().run();
    connection.channel.runPendingTasks();
    Response response = connection.response(ping());
    assertEquals(0x85, response.status());
    assertTrue(response.field("message").contains("closed"));
  }

  @Test
  void clientThatDoesNotRead_isNotReadFromEither() {
    put("k", new byte[100_000]);
    connection.channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1000, 2000));
    connection.channel.pipeline().addFirst(new SlowClient());
    byte[] requests = new byte[0];
    for (int i = 0; i < 50; i++) {
      requests = joined(requests, get("k").id(i).bytes());
    }
    long before = connection.usedMemory();
    connection.send(requests);
    assertFalse(connection.channel.config().isAutoRead());
    assertTrue(connection.usedMemory() - before < 1_000_000);

    SlowClient client = connection.channel.pipeline().get(SlowClient.class);
    List<Response> responses = new ArrayList<>();
    while (responses.size() < 50) {
      client.takeAll();
      connection.channel.runPendingTasks();
      List<Response> more = responses(41);
      assertFalse(more.isEmpty());
      responses.addAll(more);
      assertTrue(connection.usedMemory() - before < 1_000_000);
    }
    assertTrue(connection.channel.config().isAutoRead());
    for (int i = 0; i < 50; i++) {
      assertEquals(i, responses.get(i).id());
      assertEquals(200_000, responses.get(i).field("value").length());
    }
  }

  /** Takes nothing before the test permits it: flushed output stays in the channel's buffer. */
  private static final class SlowClient extends ChannelOutboundHandlerAdapter {
    private @Nullable ChannelHandlerContext context;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      this.context = context;
    }

    @Override
    public void flush(ChannelHandlerContext context) {}

    void takeAll() {
      Objects.requireNonNull(context).flush();
    }
  }

  @Test
  void endOfInput_whileSomethingIsExecutedAside_isPassedOnAfterTheReply() {
    List<Object> events = new ArrayList<>();
    connection
        .channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
              }
            });
    server.runsAsideAtOnce = false;
    connection.send(new RequestBytes(41, SIZE).bytes());
    connection.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    assertEquals(List.of(), events);
    server.aside.remove().run();
    connection.channel.runPendingTasks();
    assertEquals(1, responses(41).size());
    assertEquals(List.of(ChannelInputShutdownEvent.INSTANCE), events);
  }

  @Test
  void endOfInput_inTheMiddleOfARequest_isPassedOn() {
    List<Object> events = new ArrayList<>();
    connection
        .channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void userEventTriggered(ChannelHandlerContext context, Object event) {
                events.add(event);
              }
            });
    connection.send(new byte[] {(byte) 0xA0, 1});
    connection.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    assertEquals(List.of(ChannelInputShutdownEvent.INSTANCE), events);
  }

  @Test
  void endOfConnection_inTheMiddleOfARequest_releasesTheInput() {
    byte[] request = get("key").bytes();
    connection.send(request, request.length - 1);
    connection.send(Arrays.copyOf(request, request.length - 1));
    connection.channel.close();
    connection.received();
    assertEquals(0, connection.usedMemory());
  }
}
