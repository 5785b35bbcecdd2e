package dev.isogrid.server.hotrod;

import dev.isogrid.engine.StandInEngine;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A connection whose requests on a clustered cache end when the test says so. */
abstract class WaitingRequests {
  private static final int PUT = 0x01;
  private static final int GET = 0x03;

  final TestServer server = new TestServer();
  final StandInEngine engine = server.clustered("c");
  final HotRodProtocol protocol = server.newProtocol();
  final TestServer.Connection connection = server.connect(protocol);

  WaitingRequests() {
    server.runsAsideAtOnce = false;
  }

  @AfterEach
  void close() {
    finishAll();
    connection.close();
    server.close();
  }

  static RequestBytes get(String key) {
    return new RequestBytes(41, GET).string(key);
  }

  static RequestBytes put(String key, byte[] value) {
    return new RequestBytes(41, PUT).string(key).u8(0x88).bytes(value);
  }

  void send(RequestBytes... requests) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (RequestBytes request : requests) {
      all.writeBytes(request.bytes());
    }
    connection.send(all.toByteArray());
  }

  List<Long> ids() {
    return connection.responses(41).stream().map(Response::id).toList();
  }

  /** Ends the request that has waited longest on a thread. */
  void finishOne() {
    server.aside.remove().run();
    connection.runPendingTasks();
  }

  void finishAll() {
    while (!server.aside.isEmpty()) {
      finishOne();
    }
  }

  /** Brings the outcome of the write that was begun first. */
  void endOne() {
    engine.begun.remove().run();
    connection.runPendingTasks();
  }
}
