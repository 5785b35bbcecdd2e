package dev.isogrid.engine;

import dev.isogrid.cluster.MalformedMessageException;
import dev.isogrid.cluster.MessageReader;
import dev.isogrid.cluster.MessageWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How those parts of messages are laid out that say what a learner has from before. */
final class DeltaLayout {
  /*
   * Byte order and the parts that are not named here are those of MessageLayout.
   *
   *    part      layout
   *    delta     bool, if true: places, sums, repair bool, prints
   *    places    count 4, each: cache 4, place 8
   *    sums      count 4, each: cache 4, seed 8, count 4 (a power of 2), each: 8
   *    prints    count 4, each: cache 4, count 4, each: 8 (bits of buckets, the lowest first),
   *              count 4, each: 8 (in rising order)
   */
  private static final int PLACE_BYTES = 12;
  private static final int SUMS_BYTES_MIN = 24;
  private static final int PRINTS_BYTES_MIN = 12;

  private DeltaLayout() {}

  static void write(CopyDelta delta, MessageWriter out) {
    boolean isPresent = !delta.equals(CopyDelta.NONE);
    out.putBoolean(isPresent);
    if (isPresent) {
      writePlaces(delta.bases(), out);
      out.putInt(delta.sums().size());
      for (EntrySums sums : delta.sums()) {
        out.putInt(sums.cacheId());
        out.putLong(sums.seed());
        out.putInt(sums.count());
        for (int i = 0; i < sums.count(); i++) {
          out.putLong(sums.sum(i));
        }
      }
      out.putBoolean(delta.isRepair());
      writePrints(delta.gone(), out);
    }
  }

  static CopyDelta read(MessageReader in) throws MalformedMessageException {
    if (!in.bool("delta")) {
      return CopyDelta.NONE;
    }
    Map<Integer, Long> bases = readPlaces(in);
    int count = in.countOf("sums", SUMS_BYTES_MIN);
    List<EntrySums> sums = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int cacheId = in.count32("cache", Integer.MAX_VALUE);
      long seed = in.int64("seed");
      sums.add(new EntrySums(cacheId, seed, readLongs("sums", in)));
    }
    boolean isRepair = in.bool("repair");
    return new CopyDelta(bases, sums, isRepair, readPrints(in));
  }

  static void writePlaces(Map<Integer, Long> places, MessageWriter out) {
    out.putInt(places.size());
    places.forEach((cache, place) -> {
      out.putInt(cache);
      out.putLong(place);
    });
  }

  static Map<Integer, Long> readPlaces(MessageReader in) throws MalformedMessageException {
    int count = in.countOf("places", PLACE_BYTES);
    Map<Integer, Long> places = LinkedHashMap.newLinkedHashMap(count);
    for (int i = 0; i < count; i++) {
      int cache = in.count32("cache", Integer.MAX_VALUE);
      places.put(cache, in.count64("place"));
    }
    return places;
  }

  static void writePrints(List<EntryPrints> all, MessageWriter out) {
    out.putInt(all.size());
    for (EntryPrints prints : all) {
      out.putInt(prints.cacheId());
      long[] buckets = prints.bucketBits();
      out.putInt(buckets.length);
      for (long bits : buckets) {
        out.putLong(bits);
      }
      out.putInt(prints.count());
      for (int i = 0; i < prints.count(); i++) {
        out.putLong(prints.print(i));
      }
    }
  }

  static List<EntryPrints> readPrints(MessageReader in) throws MalformedMessageException {
    int count = in.countOf("prints", PRINTS_BYTES_MIN);
    List<EntryPrints> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int cacheId = in.count32("cache", Integer.MAX_VALUE);
      BitSet buckets = BitSet.valueOf(readLongs("buckets", in));
      long[] prints = readLongs("prints", in);
      for (int j = 1; j < prints.length; j++) {
        if (prints[j - 1] > prints[j]) {
          throw in.malformed("prints", j, "expected rising numbers");
        }
      }
      all.add(new EntryPrints(cacheId, buckets, prints));
    }
    return all;
  }

  private static long[] readLongs(String name, MessageReader in) throws MalformedMessageException {
    int count = in.countOf(name, Long.BYTES);
    long[] numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = in.int64(name);
    }
    return numbers;
  }
}
