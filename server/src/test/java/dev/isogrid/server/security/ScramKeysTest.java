package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScramKeysTest {
  private static byte[] decode(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  /** The example of RFC 7677, section 3. */
  @Test
  void proof_ofTheStandardsExample_isOfTheClientAndTheServer() {
    ScramKeys keys = ScramKeys.of(Hash.SHA_256, "pencil", decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
    byte[] exchanged =
        ("n=user,r=rOprNGfwEbeRWgbNEkqO,"
                + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                + "s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,"
                + "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0")
            .getBytes(StandardCharsets.US_ASCII);
    assertTrue(keys.proves(decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="), exchanged));
    assertEquals(
        "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
        Base64.getEncoder().encodeToString(keys.serverSignature(exchanged)));
    byte[] wrong = decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
    wrong[0]++;
    assertFalse(keys.proves(wrong, exchanged));
    assertFalse(keys.proves(new byte[0], exchanged));
  }

  @ParameterizedTest
  @EnumSource(Hash.class)
  void parse_ofText_givesTheSameKeys(Hash hash) {
    ScramKeys keys = ScramKeys.of(hash, "geheim", new byte[] {1, 2, 3}, 4096);
    ScramKeys read = ScramKeys.parse(keys.text());
    assertEquals(keys.text(), read.text());
    assertTrue(read.fits("geheim"));
    assertFalse(read.fits("Geheim"));
    assertFalse(keys.text().contains("geheim"));
  }

  @Test
  void parse_ofTooFewIterations_isRefused() {
    String text = ScramKeys.of(Hash.SHA_256, "p", new byte[] {1}, 4096).text();
    assertThrows(
        IllegalArgumentException.class, () -> ScramKeys.parse(text.replace(":4096:", ":1:")));
    assertThrows(IllegalArgumentException.class, () -> ScramKeys.parse("SCRAM-MD5:4096:a:b:c"));
  }
}
