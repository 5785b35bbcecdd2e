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
        CallTrace trace = out.version() < SegmentLayout.CALLS_TRACED_SINCE ? null : request.trace();
        begin(trace == null ? SegmentLayout.CALL : SegmentLayout.CALL_TRACED, message, out);
        if (trace != null) {
          out.putText(trace.parent());
          out.putText(trace.state());
        }
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

  static Request readTraced(int epoch, MessageReader in) throws MalformedMessageException {
    if (in.version() < SegmentLayout.CALLS_TRACED_SINCE) {
      throw in.malformed("type", SegmentLayout.CALL_TRACED, "unknown in version " + in.version());
    }
    long call = in.count64("call");
    CallTrace trace = new CallTrace(in.text("traceparent"), in.text("tracestate"));
    return new Request(epoch, call, in.unsignedByte("service"), in.bytes("body"), trace);
  }

  static Answer readAnswer(int epoch, MessageReader in) throws MalformedMessageException {
    long call = in.count64("call");
    return new Answer(epoch, call, in.bool("failed"), in.sharedBytes("body"));
  }

  static Cancel readCancel(int epoch, MessageReader in) throws MalformedMessageException {
    return new Cancel(epoch, in.count64("call"));
  }
}
