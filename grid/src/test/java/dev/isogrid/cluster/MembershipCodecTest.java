package dev.isogrid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.base.Seeds;
import dev.isogrid.cluster.MembershipMessage.Fetch;
import dev.isogrid.cluster.MembershipMessage.OtherVersion;
import dev.isogrid.topology.NodeId;
import dev.isogrid.topology.ProtocolVersions;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class MembershipCodecTest {
  private final MembershipCodec codec = new MembershipCodec();

  @Test
  void decode_ofWhatWasEncoded_isEqual() {
    codec.write(ProtocolVersions.OF_BUILD.newest());
    Seeds.run(
        3000,
        random -> {
          MembershipMessage message = new RandomMembership(random).message();
          byte[] bytes = codec.encode(message);
          byte[] within = new byte[bytes.length + 7];
          System.arraycopy(bytes, 0, within, 3, bytes.length);
          assertEquals(message, codec.decode(within, 3, bytes.length));
        });
  }

  @Test
  void decode_ofRandomBytes_decodesOrRefuses() {
    Seeds.run(
        5000,
        random -> {
          byte[] bytes = new byte[random.nextInt(random.nextInt(10) == 0 ? 20_000 : 100)];
          random.nextBytes(bytes);
          if (bytes.length > 1) {
            bytes[0] = (byte) ProtocolVersions.OF_BUILD.newest();
            bytes[1] = (byte) (1 + random.nextInt(31));
          }
          CodecCheck.decodeAnything(codec, bytes);
        });
  }

  @Test
  void decode_ofMutatedMessages_decodesOrRefuses() {
    codec.write(ProtocolVersions.OF_BUILD.newest());
    Seeds.run(
        5000,
        random -> {
          byte[] bytes = codec.encode(new RandomMembership(random).message());
          CodecCheck.decodeAnything(codec, CodecCheck.mutate(bytes, random));
        });
  }

  @Test
  void encode_ofFetch_isAsTheLayoutSays() {
    assertEquals(
        "0c0a" + "00000000" + "00000203" + "00000000",
        HexFormat.of().formatHex(codec.encode(new Fetch(0x203))));
  }

  @Test
  void decode_ofOtherVersion_saysWhich() {
    byte[] bytes = codec.encode(new Fetch(1));
    bytes[0] = 99;
    Exception refused =
        assertThrows(MalformedMessageException.class, () -> codec.decode(bytes, 0, bytes.length));
    assertEquals("malformed message: version=99; this node speaks 12 to 14", refused.getMessage());
  }

  @Test
  void decode_ofOtherVersionMessage_isUnderstoodByAllVersions() throws Exception {
    OtherVersion other = new OtherVersion(new ProtocolVersions(7, 9));
    byte[] bytes = codec.encode(other);
    assertEquals("000907", HexFormat.of().formatHex(bytes));
    assertEquals(other, codec.decode(bytes, 0, bytes.length));
    byte[] longer = HexFormat.of().parseHex("000907" + "0102");
    assertEquals(other, codec.decode(longer, 0, longer.length));
  }

  @Test
  void encode_beforeAndAfterItIsTold_isInTheOldestAndThenInThatVersion() throws Exception {
    MembershipCodec next = new MembershipCodec(new ProtocolVersions(12, 15));
    assertEquals(12, next.encode(new Fetch(1))[0]);
    next.write(15);
    byte[] bytes = next.encode(new Fetch(1));
    assertEquals(15, bytes[0]);
    assertEquals(new Fetch(1), next.decode(bytes, 0, bytes.length));
    assertThrows(MalformedMessageException.class, () -> codec.decode(bytes, 0, bytes.length));
    assertThrows(IllegalArgumentException.class, () -> next.write(16));
  }

  @Test
  void decode_ofTooLongZone_isRefused() {
    MessageWriter out = new MessageWriter();
    MessageHeader.of(11, 1).write(out);
    out.putNode(new NodeId(1, 2));
    out.putText("name");
    out.putFloat(1);
    out.putText("z".repeat(2000));
    out.putText("");
    out.putText("");
    out.putByte(12);
    out.putByte(12);
    byte[] bytes = out.toByteArray();
    Exception refused =
        assertThrows(MalformedMessageException.class, () -> codec.decode(bytes, 0, bytes.length));
    assertTrue(refused.toString().contains("zone bytes=2000, max=1024"), refused::toString);
  }
}
