package dev.isogrid.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** Commands that write a cache into a file and back. */
final class TransferCommands {
  /** The file that stands for the output of an export and the input of an import. */
  private static final String STANDARD = "-";

  private TransferCommands() {}

  static List<Command> all() {
    return List.of(
        Command.of(
                "export",
                "Writes the entries of a cache into a file: JSON lines, or CSV.",
                TransferCommands::export)
            .cacheOption()
            .option("--format", "FORM", "json or csv; default by the name of the file.")
            .option("-m --max-items", "COUNT", "Most entries; default all.")
            .flag("--text", "Keys and values as text and JSON, in place of the kept bytes.")
            .operand("FILE", "File to write; - for the output."),
        Command.of(
                "import",
                "Writes the entries of a file into a cache, in place of those with the same key.",
                TransferCommands::load)
            .cacheOption()
            .option("--format", "FORM", "json or csv; default by the name of the file.")
            .flag("--keep-going", "Goes on after entries that the server refuses.")
            .operand("FILE", "File to read; - for the input."));
  }

  private static Progress progress(Session session) {
    return Progress.of("entries", session);
  }

  private static void export(Call call) {
    String file = call.operand(0);
    EntryFile form = EntryFile.of(call.text("--format"), file);
    String cache = call.cache();
    Export export = new Export(call.session().connection(), cache, call.flag("--text"));
    long limit = call.number("--max-items", -1);
    Progress progress = progress(call.session());
    try {
      if (file.equals(STANDARD)) {
        Writer out = new OutputStreamWriter(call.printer().out(), StandardCharsets.UTF_8);
        export.write(form, out, limit, progress);
        return;
      }
      long count = exportTo(Path.of(file), out -> export.write(form, out, limit, progress));
      progress.end();
      report(call, "exported", count, 0);
    } catch (IOException e) {
      throw new CommandFailure(
          "the export failed: cache=%s, file=%s, reason=%s; name another file, or make room"
              .formatted(cache, file, FileTrouble.reason(e)),
          e);
    } finally {
      progress.end();
    }
  }

  /** Writes to a stream of characters, and returns how many entries. */
  private interface Writing {
    long to(Writer out) throws IOException;
  }

  /** Writes a file in full or, if that fails, not at all. */
  private static long exportTo(Path file, Writing writing) throws IOException {
    Path draft = Path.of(file + ".part");
    try {
      long count;
      try (Writer out = Files.newBufferedWriter(draft, StandardCharsets.UTF_8)) {
        count = writing.to(out);
      }
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
      return count;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void report(Call call, String what, long count, long failed) {
    if (call.printer().isJson()) {
      call.printer().value(Map.of(what, count, "failed", failed));
    } else {
      call.printer().text("%s %d entries".formatted(what, count));
    }
  }

  private static void load(Call call) {
    String file = call.operand(0);
    String cache = call.cache();
    EntryFile form = EntryFile.of(call.text("--format"), file);
    boolean goesOn = call.flag("--keep-going");
    Session session = call.session();
    Import load = new Import(session.connection(), cache, goesOn, session.err());
    Progress progress = progress(session);
    boolean isInput = file.equals(STANDARD);
    try (Counted bytes =
            new Counted(isInput ? session.asker().input() : Files.newInputStream(Path.of(file)));
        Reader in = Utf8.reader(bytes)) {
      long total = isInput ? 0 : Files.size(Path.of(file));
      load.run(form.source(in), bytes::count, total, progress);
    } catch (IOException e) {
      throw new CommandFailure(
          "the import failed: file=%s, reason=%s, written=%d; name another file"
              .formatted(file, FileTrouble.reason(e), load.written()),
          e);
    } finally {
      progress.end();
    }
    report(call, "imported", load.written(), load.failed());
    if (load.failed() > 0) {
      throw new CommandFailure("some entries were refused: count=%d".formatted(load.failed()));
    }
  }

  /** Counts what is read. */
  private static final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      count += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = super.read(bytes, offset, length);
      count += Math.max(0, read);
      return read;
    }

    long count() {
      return count;
    }
  }
}
