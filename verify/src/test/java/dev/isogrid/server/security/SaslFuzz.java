package dev.isogrid.server.security;

import dev.isogrid.base.Env;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A fuzz target for logins by SASL. The first byte selects the mechanism, the second the kind of
 * the rest: messages of a client without the password, or edits of a client's last message. That
 * client has the right or a wrong password. Only the unchanged message of a client with the right
 * password may log in.
 */
public final class SaslFuzz {
  private static final List<Mechanism> MECHANISMS = List.of(Mechanism.values());
  private static final String NAME = "ada";
  private static final String PASSWORD = "right password";
  private static final String WRONG_PASSWORD = "wrong password";
  private static final String CERTIFICATE_NAME = "carl";
  private static final String DIGEST_URI = "hotrod/" + SecuritySettings.SERVER_NAME;
  private static final String CLIENT_NONCE = "fyko+d2lbbFgONRv9qkxdawL";
  private static final byte[] SALT = "0123456789abcdef01".getBytes(StandardCharsets.US_ASCII);
  private static final long NOW_MILLIS = 1_800_000_000_000L;

  /** The most bytes of a reply: it may repeat parts of the client's message. */
  private static final int REPLY_SIZE_MAX = 8192;

  /** More messages than any mechanism has. */
  private static final int MESSAGES_MAX = 8;

  /** Replaces, in messages of a client, the last message of the server, since nonces are random. */
  private static final byte NONCE_MARK = 0x1A;

  private static final Env ENV =
      new Env(
          () -> NOW_MILLIS * 1_000_000,
          () -> NOW_MILLIS,
          new SplittableRandom(1),
          new SameThreadScheduler());

  private static final Map<String, byte[]> SALTED = salted(PASSWORD, WRONG_PASSWORD);
  private static final UserRealm REALM = newRealm();

  private SaslFuzz() {}

  /** The expensive results that clients compute from passwords, by hash and password. */
  private static Map<String, byte[]> salted(String... passwords) {
    Map<String, byte[]> salted = new HashMap<>();
    for (String password : passwords) {
      for (Hash hash : Hash.values()) {
        byte[] iterated = hash.iterated(password, SALT, ScramKeys.ITERATIONS_MIN);
        salted.put(hash.title + password, iterated);
      }
    }
    return salted;
  }

  private static UserRealm newRealm() {
    try {
      Path folder = Files.createTempDirectory("isogrid-sasl");
      StringBuilder line = new StringBuilder(NAME + "=roles:admin");
      String text = NAME + ":" + SecuritySettings.REALM + ":" + PASSWORD;
      for (Hash hash : Hash.values()) {
        ScramKeys keys = ScramKeys.of(hash, PASSWORD, SALT, ScramKeys.ITERATIONS_MIN);
        String digest =
            Base64.getEncoder().encodeToString(hash.digest(text.getBytes(StandardCharsets.UTF_8)));
        line.append(';').append(keys.text());
        line.append(";DIGEST-").append(hash.title).append(':').append(SecuritySettings.REALM);
        line.append(':').append(digest);
      }
      Path file = folder.resolve(UserFile.NAME);
      Files.writeString(file, line.append('\n'));
      UserRealm realm = new UserRealm(login(), new UserFile(folder), ENV, () -> {});
      Files.deleteIfExists(file);
      return realm;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static SecuritySettings.Login login() {
    String secret = "a secret of tokens that no input has";
    TokenSettings tokens;
    try {
      Path file = Files.writeString(Files.createTempFile("isogrid", "secret"), secret);
      tokens = new TokenSettings(null, null, file, null, null, TokenSettings.Claims.USUAL);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return new SecuritySettings.Login(
        SecuritySettings.REALM, SecuritySettings.SERVER_NAME, true, true, null, tokens, true);
  }

  /** Plays one login. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length < 2) {
      return;
    }
    Mechanism mechanism = MECHANISMS.get((input[0] & 0xFF) % MECHANISMS.size());
    LoginDesk desk = new LoginDesk(REALM, new LoginThrottle(ENV.nanoClock()), "10.0.0.1", false);
    SaslExchange exchange = newExchange(mechanism, desk);
    int kind = input[1] & 3;
    if (kind < 2) {
      sendAll(exchange, Arrays.copyOfRange(input, 2, input.length));
      String text = Hash.prepared(new String(input, StandardCharsets.UTF_8));
      boolean hasPassword = mechanism == Mechanism.PLAIN && text.contains(PASSWORD);
      check(exchange, mechanism == Mechanism.EXTERNAL || hasPassword); // it learns from our equals
    } else if (mechanism != Mechanism.EXTERNAL && mechanism != Mechanism.OAUTHBEARER) {
      String password = kind == 2 ? WRONG_PASSWORD : PASSWORD;
      byte[] valid = lastMessage(exchange, mechanism, password);
      byte[] edited = Edits.apply(valid, input, 2);
      send(exchange, edited);
      boolean isRight = kind == 3 && isSame(mechanism, valid, edited);
      check(exchange, isRight);
      require(
          !Arrays.equals(valid, edited) || kind == 2 || exchange.identity() != null,
          "right password refused");
    }
  }

  private static SaslExchange newExchange(Mechanism mechanism, LoginDesk desk) {
    return switch (mechanism) {
      case SCRAM_SHA_256, SCRAM_SHA_384, SCRAM_SHA_512 -> new ScramExchange(mechanism, desk);
      case DIGEST_SHA_256, DIGEST_SHA_384, DIGEST_SHA_512 ->
          new DigestExchange(mechanism, desk, DIGEST_URI);
      case PLAIN -> new PlainExchange(desk);
      case EXTERNAL -> new ExternalExchange(desk, CERTIFICATE_NAME);
      case OAUTHBEARER -> new BearerExchange(desk);
    };
  }

  /** Sends messages, each with a byte of its length before it; the last may be shorter. */
  private static void sendAll(SaslExchange exchange, byte[] messages) {
    byte[] reply = {};
    int at = 0;
    for (int count = 0; at < messages.length && count < MESSAGES_MAX; count++) {
      int end = Math.min(messages.length, at + 1 + (messages[at] & 0xFF));
      byte[] next = withNonce(Arrays.copyOfRange(messages, at + 1, end), reply);
      at = end;
      byte[] answer = send(exchange, next);
      if (answer == null) {
        return; // the server ends such an exchange
      }
      reply = answer;
    }
  }

  private static byte[] withNonce(byte[] message, byte[] reply) {
    String text = new String(message, StandardCharsets.ISO_8859_1);
    String last = new String(reply, StandardCharsets.ISO_8859_1);
    return text.replace(String.valueOf((char) NONCE_MARK), nonce(last))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The nonce in a message of the server, or an empty text. */
  private static String nonce(String reply) {
    int quoted = reply.indexOf("nonce=\"");
    if (quoted >= 0) {
      int from = quoted + "nonce=\"".length();
      return reply.substring(from, reply.indexOf('"', from));
    }
    int end = reply.indexOf(',');
    return reply.startsWith("r=") && end > 0 ? reply.substring(2, end) : "";
  }

  /** The server's answer, or null if it refused the message. */
  private static byte @Nullable [] send(SaslExchange exchange, byte[] message) {
    try {
      byte[] reply = exchange.step(message);
      require(reply.length < REPLY_SIZE_MAX, "long reply");
      return reply;
    } catch (AccessRefused refused) {
      require(!refused.text().isBlank(), "refusal without a reason");
      return null;
    }
  }

  private static void check(SaslExchange exchange, boolean mayLogIn) {
    Identity identity = exchange.identity();
    require(identity == null || mayLogIn, "login without a proof");
    if (identity != null) {
      Set<String> names = Set.of(NAME, CERTIFICATE_NAME);
      require(names.contains(identity.name()), "login by another name");
    }
    require(exchange.claimedName().length() < REPLY_SIZE_MAX, "long name");
  }

  /** Plays the client up to its last message, which has the proof. */
  private static byte[] lastMessage(SaslExchange exchange, Mechanism mechanism, String password) {
    String message =
        switch (mechanism) {
          case SCRAM_SHA_256, SCRAM_SHA_384, SCRAM_SHA_512 ->
              scram(exchange, mechanism.hash(), password);
          case DIGEST_SHA_256, DIGEST_SHA_384, DIGEST_SHA_512 ->
              digest(exchange, mechanism.hash(), password);
          default -> "\0" + NAME + "\0" + password;
        };
    return message.getBytes(StandardCharsets.UTF_8);
  }

  private static String step(SaslExchange exchange, String message) {
    return new String(
        exchange.step(message.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  private static String scram(SaslExchange exchange, Hash hash, String password) {
    String first = "n=" + NAME + ",r=" + CLIENT_NONCE;
    String reply = step(exchange, "n,," + first);
    String withoutProof = "c=biws,r=" + nonce(reply);
    byte[] salted = Objects.requireNonNull(SALTED.get(hash.title + password));
    byte[] clientKey = hash.hmac(salted, "Client Key".getBytes(StandardCharsets.US_ASCII));
    byte[] exchanged = (first + "," + reply + "," + withoutProof).getBytes(StandardCharsets.UTF_8);
    byte[] proof = hash.hmac(hash.digest(clientKey), exchanged);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= clientKey[i];
    }
    return withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof);
  }

  private static String digest(SaslExchange exchange, Hash hash, String password) {
    String nonce = nonce(step(exchange, ""));
    String text = NAME + ":" + SecuritySettings.REALM + ":" + password;
    byte[] secret = hash.digest(text.getBytes(StandardCharsets.UTF_8));
    byte[] nonces = (":" + nonce + ":" + CLIENT_NONCE).getBytes(StandardCharsets.UTF_8);
    byte[] both = Arrays.copyOf(secret, secret.length + nonces.length);
    System.arraycopy(nonces, 0, both, secret.length, nonces.length);
    String request = hex(hash, "AUTHENTICATE:" + DIGEST_URI);
    String proved =
        HexFormat.of().formatHex(hash.digest(both))
            + ":%s:00000001:%s:auth:%s".formatted(nonce, CLIENT_NONCE, request);
    return "charset=utf-8,username=\"%s\",realm=\"%s\",nonce=\"%s\",nc=00000001,cnonce=\"%s\","
            .formatted(NAME, SecuritySettings.REALM, nonce, CLIENT_NONCE)
        + "digest-uri=\"%s\",response=%s,qop=auth".formatted(DIGEST_URI, hex(hash, proved));
  }

  private static String hex(Hash hash, String text) {
    return HexFormat.of().formatHex(hash.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Whether an edited message still has everything that the proof covers, and the same proof. */
  private static boolean isSame(Mechanism mechanism, byte[] valid, byte[] edited) {
    String text = new String(valid, StandardCharsets.UTF_8);
    String other = new String(edited, StandardCharsets.UTF_8);
    return switch (mechanism) {
      case SCRAM_SHA_256, SCRAM_SHA_384, SCRAM_SHA_512 -> isSameScram(text, other);
      case DIGEST_SHA_256, DIGEST_SHA_384, DIGEST_SHA_512 -> isSameDigest(text, other);
      default -> {
        String[] parts = other.split("\0", -1);
        yield parts.length == 3
            && parts[1].equals(NAME)
            && Hash.prepared(parts[2]).equals(PASSWORD);
      }
    };
  }

  private static boolean isSameScram(String text, String other) {
    int at = text.lastIndexOf(",p=");
    int otherAt = other.lastIndexOf(",p=");
    if (otherAt < 0 || !text.substring(0, at).equals(other.substring(0, otherAt))) {
      return false;
    }
    try {
      Base64.Decoder base64 = Base64.getDecoder();
      return Arrays.equals(
          base64.decode(text.substring(at + 3)), base64.decode(other.substring(otherAt + 3)));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static boolean isSameDigest(String text, String other) {
    Map<String, String> fields = Directives.parse(text);
    Map<String, String> others;
    try {
      others = Directives.parse(other);
    } catch (IllegalArgumentException _) {
      return false;
    }
    Set<String> different = new TreeSet<>();
    for (String proved : List.of("username", "nonce", "nc", "cnonce", "digest-uri", "response")) {
      if (!Objects.equals(fields.get(proved), others.get(proved))) {
        different.add(proved);
      }
    }
    return different.isEmpty() && !others.containsKey("authzid");
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
