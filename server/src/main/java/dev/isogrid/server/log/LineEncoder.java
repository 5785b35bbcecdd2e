package dev.isogrid.server.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;

/**
 * Writes events in the server's form, see {@link LineFormat}. Files of {@code --log-config} name it
 * as the encoder of an appender, with {@code <json>true</json>} for objects. Thread-safe once it is
 * set up.
 */
public final class LineEncoder extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};

  private boolean isJson;

  /** For Logback, which creates it by its name. */
  public LineEncoder() {}

  /** Chooses objects of JSON in place of text. */
  public void setJson(boolean json) {
    isJson = json;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String node = getContext().getProperty(ServerLog.NODE);
    String line = isJson ? LineFormat.json(event, node) : LineFormat.text(event, node);
    return line.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }
}
