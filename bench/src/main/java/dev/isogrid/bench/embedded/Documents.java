package dev.isogrid.bench.embedded;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/** Documents that differ, but have their structure and many words in common, as those of a shop. */
final class Documents {
  private static final List<String> FIRST_NAMES =
      List.of("Anna", "Peter", "Maria", "John", "Li", "Olga", "Ahmed", "Sofia", "Lars", "Ines");
  private static final List<String> LAST_NAMES =
      List.of("Smith", "Garcia", "Chen", "Hassan", "Rossi", "Larsen", "Novak", "Tanaka", "Okafor");
  private static final List<String> CITIES =
      List.of("Berlin", "Paris", "Oslo", "Madrid", "Rome", "Tokyo", "Lagos", "Prague", "Cairo");
  private static final List<String> WORDS =
      List.of(
          ("the order was shipped today and arrives tomorrow with free return label for all items"
                  + " in stock please contact support if anything is missing from your parcel")
              .split(" ", -1));

  private static final long SEED = 77;
  private static final int NOTE_WORDS = 8;

  /** About the bytes of a note, and of an order without notes. */
  private static final int NOTE_BYTES = 45;

  private static final int FIXED_BYTES = 60;

  /** Fields that follow each other again and again until a document is long enough. */
  private static final int FIELDS = 6;

  private Documents() {}

  /** An order with its note and its customer; an own type, stored as a ProtoStream message. */
  public record Order(
      long id,
      String firstName,
      String lastName,
      String city,
      String email,
      boolean paid,
      int items,
      long cents,
      List<String> notes) {}

  private static Random random(int number) {
    return new Random(SEED * number);
  }

  private static String one(List<String> words, Random random) {
    return words.get(random.nextInt(words.size()));
  }

  private static String note(Random random) {
    StringBuilder note = new StringBuilder();
    for (int i = 0; i < NOTE_WORDS; i++) {
      note.append(i == 0 ? "" : " ").append(one(WORDS, random));
    }
    return note.toString();
  }

  private static String email(Random random) {
    return Integer.toString(random.nextInt(), Character.MAX_RADIX) + "@example.com";
  }

  /** A document in JSON of about so many bytes. */
  static String json(int number, int size) {
    Random random = random(number);
    StringBuilder text = new StringBuilder(size + 100);
    text.append("{\"id\":").append(random.nextInt(100_000_000));
    text.append(",\"firstName\":\"").append(one(FIRST_NAMES, random)).append('"');
    text.append(",\"lastName\":\"").append(one(LAST_NAMES, random)).append('"');
    for (int field = 0; text.length() < size - 30; field++) {
      text.append(field(field % FIELDS, random));
    }
    return text.append('}').toString();
  }

  private static String field(int field, Random random) {
    return switch (field) {
      case 0 -> ",\"email\":\"" + email(random) + '"';
      case 1 -> ",\"city\":\"%s\",\"zip\":%d".formatted(one(CITIES, random), zip(random));
      case 2 -> ",\"paid\":%b,\"cents\":%d".formatted(random.nextBoolean(), cents(random));
      case 3 ->
          String.format(
              Locale.ROOT,
              ",\"created\":\"2026-%02d-%02dT%02d:%02d:%02dZ\"",
              1 + random.nextInt(12),
              1 + random.nextInt(28),
              random.nextInt(24),
              random.nextInt(60),
              random.nextInt(60));
      case 4 -> ",\"note\":\"" + note(random) + '"';
      default ->
          ",\"item\":{\"code\":\"A-%d\",\"count\":%d,\"cents\":%d}"
              .formatted(zip(random), 1 + random.nextInt(9), cents(random));
    };
  }

  private static int zip(Random random) {
    return 10_000 + random.nextInt(90_000);
  }

  private static int cents(Random random) {
    return random.nextInt(1_000_000);
  }

  /** An order whose message has about so many bytes. */
  static Order order(int number, int size) {
    Random random = random(number);
    List<String> notes =
        Stream.generate(() -> note(random))
            .limit(Math.max(0, size - FIXED_BYTES) / NOTE_BYTES)
            .toList();
    return new Order(
        random.nextInt(100_000_000),
        one(FIRST_NAMES, random),
        one(LAST_NAMES, random),
        one(CITIES, random),
        email(random),
        random.nextBoolean(),
        1 + random.nextInt(9),
        cents(random),
        notes);
  }
}
