package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageHeader;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import dev.isogrid.engine.CallMessage.Answer;
import dev.isogrid.engine.CallMessage.Cancel;
import dev.isogrid.engine.CallMessage.Request;

/** How the messages of {@link NodeCalls} become bytes; {@link SegmentLayout} has the picture. */
final class CallLayout {
  private CallLayout() {}

  static void encode(CallMessage message, MessageWriter out) {
    switch (message) {
      case Request request -> {
        begin(SegmentLayout.CALL, message, out);
        out.putByte(request.service());
        out.putBytes(request.body());
      }
      case Answer answer -> {
        begin(SegmentLayout.CALLED, message, out);
        out.putBoolean(answer.failed());
        out.putLastBytes(answer.body());
      }
      case Cancel _ -> begin(SegmentLayout.CALL_CANCELLED, message, out);
    }
  }

  private static void begin(int type, CallMessage message, MessageWriter out) {
    new MessageHeader(type, message.epoch(), 0, 0).write(out);
    out.putLong(message.call());
  }

  static Request readRequest(int epoch, MessageReader in) throws MalformedMessageException {
    long call = in.count64("call");
    return new Request(epoch, call, in.unsignedByte("service"), in.bytes("body"));
  }

  static Answer readAnswer(int epoch, MessageReader in) throws MalformedMessageException {
    long call = in.count64("call");
    return new Answer(epoch, call, in.bool("failed"), in.sharedBytes("body"));
  }

  static Cancel readCancel(int epoch, MessageReader in) throws MalformedMessageException {
    return new Cancel(epoch, in.count64("call"));
  }
}
