package dev.isogrid.server.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.server.net.OutputGate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ReplyTest {
  @Test
  void begin_anew_dropsWhatWasWritten() {
    EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    channel.config().setAllocator(allocator);
    OutputGate gate = new OutputGate(channel.pipeline().firstContext());
    Reply reply = new Reply(gate, allocator, () -> 0);
    reply.to(false, true, false);
    reply.open();
    reply.begin(HttpResponseStatus.OK).bytes("a/b", new byte[100_000]);
    reply.begin(HttpResponseStatus.OK).bytes("a/b", new byte[50_000]);
    reply.begin(HttpResponseStatus.CONFLICT).text("text/plain", "no");
    reply.finish();
    gate.flush();
    StringBuilder sent = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      sent.append(part.toString(StandardCharsets.UTF_8));
      part.release();
    }
    assertTrue(sent.toString().startsWith("HTTP/1.1 409 Conflict\r\nDate: Thu, 01 Jan 1970 "));
    assertTrue(sent.toString().endsWith("Content-Length: 2\r\n\r\nno"), sent::toString);
    assertEquals(0, allocator.metric().usedDirectMemory());
  }
}
