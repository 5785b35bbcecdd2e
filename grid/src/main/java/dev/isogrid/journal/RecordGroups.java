package dev.isogrid.journal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hands on the records of a log, those of a write of several entries only when all are there. For
 * one thread.
 */
final class RecordGroups {
  /*
   * The parts of a write follow each other in their segment, and then comes its end. A process that
   * was killed may have left some of them: the next record of the segment is another one then, by a
   * later process. It has another version, since versions are not given twice.
   */

  /** By segment, the parts whose end did not come yet; mostly empty. */
  private final Map<Integer, List<JournalRecord>> parts = new HashMap<>();

  /** Takes over the unfinished writes of another one, which had other segments. */
  void addAll(RecordGroups others) {
    parts.putAll(others.parts);
  }

  /** Takes the next record of the log. It is borrowed for the call. */
  void handOn(JournalRecord record, Replay replay) {
    if (record.isPart()) {
      together(record, replay);
      return;
    }
    if (!parts.isEmpty()) {
      parts.remove(record.segment());
    }
    single(record, replay);
  }

  private void together(JournalRecord record, Replay replay) {
    int segment = record.segment();
    if (record.isPlace()) {
      List<JournalRecord> complete = parts.remove(segment);
      if (complete != null) {
        complete.forEach(part -> single(part, replay));
      }
      replay.place(record);
      return;
    }
    List<JournalRecord> group = parts.computeIfAbsent(segment, _ -> new ArrayList<>());
    if (!group.isEmpty() && group.getFirst().version() != record.version()) {
      group.clear();
    }
    group.add(record.copied());
  }

  private static void single(JournalRecord record, Replay replay) {
    switch (record.kind()) {
      case JournalLayout.PUT -> replay.put(record);
      case JournalLayout.CLEAR -> replay.clear(record);
      default -> {
        if (record.isPlace()) {
          replay.place(record);
        } else {
          replay.remove(record);
        }
      }
    }
  }
}
