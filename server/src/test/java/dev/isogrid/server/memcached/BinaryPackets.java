package dev.isogrid.server.memcached;

import dev.isogrid.server.memcached.Conversations.Step;
import dev.isogrid.server.memcached.Conversations.Talk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Packets of the binary protocol as lines of text, and the table in {@code binary.txt}. */
final class BinaryPackets {
  private static final int HEADER_BYTES = 24;
  private static final Pattern REPEATED = Pattern.compile("\\{(.)\\*(\\d+)}");

  private BinaryPackets() {}

  /** The table: requests and replies are lines. */
  static List<Talk> all() throws IOException {
    String text;
    try (InputStream in = BinaryPackets.class.getResourceAsStream("binary.txt")) {
      text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.ISO_8859_1);
    }
    List<Talk> talks = new ArrayList<>();
    for (String part : text.split("(?m)^= ", -1)) {
      List<String> lines = part.lines().filter(l -> !l.isEmpty() && !l.startsWith("#")).toList();
      if (!lines.isEmpty()) {
        talks.add(talk(lines.getFirst(), lines.subList(1, lines.size())));
      }
    }
    return talks;
  }

  private static Talk talk(String name, List<String> lines) {
    List<Step> steps = new ArrayList<>();
    StringBuilder request = new StringBuilder();
    StringBuilder reply = new StringBuilder();
    for (String line : lines) {
      if (line.charAt(0) == '>') {
        if (!reply.isEmpty()) {
          steps.add(new Step(request.toString(), reply.toString()));
          request.setLength(0);
          reply.setLength(0);
        }
        request.append(line.substring(2)).append('\n');
      } else if (line.charAt(0) == '<') {
        reply.append(repeated(line.substring(2))).append('\n');
      }
    }
    steps.add(new Step(request.toString(), reply.toString()));
    return new Talk(name, List.copyOf(steps), lines.getLast().startsWith("!"));
  }

  private static String repeated(String text) {
    return REPEATED
        .matcher(text)
        .replaceAll(found ->
            Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
  }

  /** The bytes of requests, one per line. */
  static byte[] encode(String lines) {
    ByteBuf out = Unpooled.buffer();
    lines.lines().forEach(line -> encode(repeated(line), out));
    return ByteBufUtil.getBytes(out);
  }

  private static void encode(String line, ByteBuf out) {
    String[] words = line.split(" ", -1);
    Map<String, String> fields = new HashMap<>();
    for (int i = 1; i < words.length; i++) {
      String[] field = words[i].split("=", 2);
      fields.put(field[0], field[1]);
    }
    byte[] extras = ByteBufUtil.decodeHexDump(fields.getOrDefault("x", ""));
    byte[] key = bytes(fields.getOrDefault("key", ""));
    byte[] value = bytes(fields.getOrDefault("v", ""));
    int body = extras.length + key.length + value.length;
    out.writeByte(Integer.parseInt(fields.getOrDefault("magic", "80"), 16));
    out.writeByte(opcode(words[0])).writeShort(key.length).writeByte(extras.length).writeByte(0);
    out.writeShort(0);
    out.writeInt((int) Long.parseLong(fields.getOrDefault("blen", "" + body)));
    out.writeInt((int) Long.parseLong(fields.getOrDefault("o", "0"), 16));
    out.writeLong(Long.parseUnsignedLong(fields.getOrDefault("cas", "0")));
    out.writeBytes(extras).writeBytes(key).writeBytes(value);
  }

  private static int opcode(String word) {
    for (int number = 0; number <= 0xFF; number++) {
      if (name(number).equals(word)) {
        return number;
      }
    }
    throw new IllegalArgumentException(word);
  }

  private static String name(int number) {
    Opcode opcode = Opcode.of(number);
    return opcode == null ? "%02x".formatted(number) : opcode.name().toLowerCase(Locale.ROOT);
  }

  private static byte[] bytes(String text) {
    ByteBuf out = Unpooled.buffer();
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) == '\\') {
        out.writeByte(Integer.parseInt(text.substring(at + 2, at + 4), 16));
        at += 3;
      } else {
        out.writeByte(text.charAt(at));
      }
    }
    return ByteBufUtil.getBytes(out);
  }

  /** The replies in bytes, one character per byte, as lines; "..." for the rest of one. */
  static String decode(String replies) {
    ByteBuf in = Unpooled.wrappedBuffer(replies.getBytes(StandardCharsets.ISO_8859_1));
    StringBuilder lines = new StringBuilder();
    while (in.readableBytes() >= HEADER_BYTES
        && in.readableBytes() - HEADER_BYTES >= in.getInt(in.readerIndex() + 8)) {
      decode(in, lines);
    }
    return in.isReadable() ? lines.append("...\n").toString() : lines.toString();
  }

  private static void decode(ByteBuf in, StringBuilder line) {
    int magic = in.readUnsignedByte();
    line.append(name(in.readUnsignedByte()));
    int key = in.readUnsignedShort();
    int extras = in.readUnsignedByte();
    int dataType = in.readUnsignedByte();
    line.append(" st=%02x".formatted(in.readUnsignedShort()));
    int value = in.readInt() - key - extras;
    int opaque = in.readInt();
    long cas = in.readLong();
    append(line, "x", ByteBufUtil.hexDump(in.readSlice(extras)));
    append(line, "key", text(in.readSlice(key)));
    append(line, "v", text(in.readSlice(value)));
    append(line, "o", opaque == 0 ? "" : "%08x".formatted(opaque));
    append(line, "cas", cas == 0 ? "" : Long.toUnsignedString(cas));
    append(line, "magic", magic == 0x81 ? "" : "" + magic);
    append(line, "type", dataType == 0 ? "" : "" + dataType);
    line.append('\n');
  }

  private static void append(StringBuilder line, String name, String text) {
    if (!text.isEmpty()) {
      line.append(' ').append(name).append('=').append(text);
    }
  }

  private static String text(ByteBuf bytes) {
    StringBuilder text = new StringBuilder();
    while (bytes.isReadable()) {
      int next = bytes.readUnsignedByte();
      boolean isPlain = next > ' ' && next < 0x7F && "\\{}".indexOf(next) < 0;
      text.append(isPlain ? Character.toString(next) : "\\x%02x".formatted(next));
    }
    return text.toString();
  }
}
