package dev.isogrid.server.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.FatalGridException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenVerifierTest {
  private static final long NOW_SECONDS = 2_000_000_000;
  private static final String SECRET = "0123456789abcdef0123456789abcdef0123456789abcdef";
  private static final String CLAIMS =
      "{'sub':'ada','exp':2000000100,'iss':'here','aud':['a','grid'],'roles':['admin','x'],"
          + "'realm':{'roles':'one two'}}";

  @TempDir private Path folder;

  private TokenSettings settings(@Nullable Path key, @Nullable Path secret, String rolesClaim) {
    return new TokenSettings(
        key, null, secret, "here", "grid", new TokenSettings.Claims("sub", rolesClaim, false));
  }

  private TokenVerifier ofSecret() throws Exception {
    Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
    return new TokenVerifier(settings(null, file, "roles"), () -> NOW_SECONDS * 1000);
  }

  private TokenVerifier ofKey(KeyPair pair, String rolesClaim) throws Exception {
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded())
            + "\n-----END PUBLIC KEY-----\n";
    Path file = Files.writeString(folder.resolve("key.pem"), pem);
    return new TokenVerifier(settings(file, null, rolesClaim), () -> NOW_SECONDS * 1000);
  }

  private static String refusal(TokenVerifier verifier, String token) {
    AccessRefused refused = assertThrows(AccessRefused.class, () -> verifier.verify(token));
    assertEquals(AccessRefused.Reason.LOGIN_FAILED, refused.reason());
    return refused.text();
  }

  @Test
  void verify_ofEachAlgorithm_givesTheClaims() throws Exception {
    TokenVerifier.Claims expected =
        new TokenVerifier.Claims("ada", Set.of("admin", "x"), (2_000_000_100L + 30) * 1000);
    TokenVerifier secret = ofSecret();
    assertEquals(expected, secret.verify(Tokens.signed("HS256", SECRET, CLAIMS)));
    assertEquals(expected, secret.verify(Tokens.signed("HS512", SECRET, CLAIMS)));
    KeyPair rsa = Tokens.pair("RSA");
    assertEquals(expected, ofKey(rsa, "roles").verify(Tokens.signed("RS256", rsa, CLAIMS)));
    KeyPair ec = Tokens.pair("EC");
    assertEquals(expected, ofKey(ec, "roles").verify(Tokens.signed("ES256", ec, CLAIMS)));
    assertEquals(
        Set.of("one", "two"),
        ofKey(ec, "realm.roles").verify(Tokens.signed("ES256", ec, CLAIMS)).roles());
  }

  @Test
  void verify_ofOtherKeyOrAlgorithm_isRefused() throws Exception {
    KeyPair rsa = Tokens.pair("RSA");
    TokenVerifier verifier = ofKey(rsa, "roles");
    String publicKey = Base64.getEncoder().encodeToString(rsa.getPublic().getEncoded());
    assertTrue(
        refusal(verifier, Tokens.signed("HS256", publicKey, CLAIMS)).contains("signature"),
        "the public key is not a secret");
    refusal(verifier, Tokens.signed("RS256", Tokens.pair("RSA"), CLAIMS));
    refusal(verifier, Tokens.unsigned(CLAIMS));
    refusal(ofSecret(), Tokens.signed("HS256", SECRET + "x", CLAIMS));
    refusal(ofSecret(), Tokens.signed("RS256", rsa, CLAIMS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'sub':'ada','iss':'here','aud':'grid'}",
        "{'sub':'ada','iss':'here','aud':'grid','exp':1999999900}",
        "{'sub':'ada','iss':'here','aud':'grid','exp':'soon'}",
        "{'sub':'ada','iss':'here','aud':'grid','exp':2000000100,'nbf':2000000050}",
        "{'sub':'ada','iss':'there','aud':'grid','exp':2000000100}",
        "{'sub':'ada','iss':'here','aud':'other','exp':2000000100}",
        "{'sub':'ada','iss':'here','aud':['other'],'exp':2000000100}",
        "{'iss':'here','aud':'grid','exp':2000000100}",
        "{'sub':'ada','sub':'eve','iss':'here','aud':'grid','exp':2000000100}",
        "{'sub':'ada','iss':'here','aud':'grid','exp':2000000100",
        "[]"
      })
  void verify_ofWrongClaims_isRefused(String claims) throws Exception {
    refusal(ofSecret(), Tokens.signed("HS256", SECRET, claims));
  }

  private static String claims(String user, long expires, String more) {
    return "{'sub':'%s','iss':'here','aud':['other','grid'],'exp':%d%s}"
        .formatted(user, expires, more);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nbf", "iat"})
  void verify_ofTimes_allowsThirtySecondsOfSkew(String claim) throws Exception {
    TokenVerifier verifier = ofSecret();
    String late = claims("ada", NOW_SECONDS - 29, "");
    assertEquals("ada", verifier.verify(Tokens.signed("HS256", SECRET, late)).user());
    String expired = claims("ada", NOW_SECONDS - 30, "");
    assertTrue(refusal(verifier, Tokens.signed("HS256", SECRET, expired)).contains("expired"));
    String early = ",'" + claim + "':" + (NOW_SECONDS + 30);
    verifier.verify(Tokens.signed("HS256", SECRET, claims("ada", NOW_SECONDS, early)));
    String tooEarly = claims("ada", NOW_SECONDS, ",'" + claim + "':" + (NOW_SECONDS + 31));
    String refusal = refusal(verifier, Tokens.signed("HS256", SECRET, tooEarly));
    assertTrue(refusal.contains("not valid yet: " + claim), refusal);
  }

  @Test
  void verify_ofAHeaderThatMustBeUnderstood_isRefused() throws Exception {
    TokenVerifier verifier = ofSecret();
    verifier.verify(Tokens.withHeader("{'alg':'HS256'}", SECRET, CLAIMS));
    refusal(verifier, Tokens.withHeader("{'alg':'HS256','crit':['exp']}", SECRET, CLAIMS));
    refusal(verifier, Tokens.withHeader("{'typ':'JWT'}", SECRET, CLAIMS));
  }

  @Test
  void verify_ofAnEmptyOrTooLongName_isRefused() throws Exception {
    TokenVerifier verifier = ofSecret();
    String longest = "u".repeat(255);
    String token = Tokens.signed("HS256", SECRET, claims(longest, NOW_SECONDS, ""));
    assertEquals(longest, verifier.verify(token).user());
    for (String user : List.of("", " ", longest + "u")) {
      String wrong = Tokens.signed("HS256", SECRET, claims(user, NOW_SECONDS, ""));
      assertTrue(refusal(verifier, wrong).contains("claim missing: sub"), user);
    }
  }

  @Test
  void verify_ofALongToken_isRefusedBeforeItIsRead() throws Exception {
    TokenVerifier verifier = ofSecret();
    verifier.verify(Tokens.signed("HS256", SECRET, claims("ada", NOW_SECONDS, filler(10_000))));
    String tooLong = Tokens.signed("HS256", SECRET, claims("ada", NOW_SECONDS, filler(16_384)));
    assertTrue(refusal(verifier, tooLong).contains("16384 bytes at most"));
  }

  private static String filler(int length) {
    return ",'x':'" + "x".repeat(length) + "'";
  }

  @Test
  void create_withAWeakOrUnusualPublicKey_isRefused() throws Exception {
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(1024);
    KeyPair weak = rsa.generateKeyPair();
    assertThrows(FatalGridException.class, () -> ofKey(weak, "roles"));
    KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
    ec.initialize(384);
    KeyPair unusual = ec.generateKeyPair();
    assertThrows(FatalGridException.class, () -> ofKey(unusual, "roles"));
    KeyPairGenerator ed = KeyPairGenerator.getInstance("Ed25519");
    KeyPair other = ed.generateKeyPair();
    assertThrows(FatalGridException.class, () -> ofKey(other, "roles"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "a.b.c", "....", "ä.ö.ü"})
  void verify_ofNoToken_isRefused(String text) throws Exception {
    refusal(ofSecret(), text);
  }

  @Test
  void create_withWeakKey_isRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("short"), "too short");
    TokenSettings settings = settings(null, file, "roles");
    assertThrows(FatalGridException.class, () -> new TokenVerifier(settings, () -> 0));
  }
}
