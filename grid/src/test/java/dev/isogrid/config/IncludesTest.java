package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncludesTest {
  @TempDir private Path folder;

  private static String including(String elements) {
    return """
    <infinispan xmlns:xi="http://www.w3.org/2001/XInclude">
      <cache-container>%s</cache-container>
    </infinispan>
    """
        .formatted(elements);
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private ServerDocument read(String document) {
    return ServerDocument.read(
        document, DocumentFormat.XML, ReadContext.empty().withIncludes(folder));
  }

  private void refused(String document, String... parts) {
    Refusal.expect(() -> read(document), parts);
  }

  private static String cachesOf(ServerDocument document) {
    return document.caches().stream().map(NamedCacheConfig::name).sorted().toList().toString();
  }

  @Test
  void include_ofFiles_readsThemInPlace_relativeToEachOther() throws IOException {
    write("one.xml", "<?xml version='1.0'?><!-- one --><local-cache name='one'/>");
    write(
        "more/two.xml",
        "<local-cache name='two'><xi:include xmlns:xi='http://www.w3.org/2001/XInclude'"
            + " href='inner/memory.xml'/></local-cache>");
    write("more/inner/memory.xml", "<memory max-count='7'/>");
    ServerDocument document =
        read(
            including(
                "<xi:include href='one.xml'/><local-cache name='own'/>"
                    + "<xi:include href='more/two.xml' parse='xml'><xi:fallback/></xi:include>"));
    assertEquals("[one, own, two]", cachesOf(document));
    assertEquals(
        List.of(-1L, -1L, 7L),
        document.caches().stream().map(each -> each.config().maxCount()).sorted().toList());
  }

  @Test
  void include_ofAMissingFile_readsItsFallback() {
    String include =
        "<xi:include href='none.xml'><xi:fallback><local-cache name='a'/><local-cache name='b'/>"
            + "</xi:fallback></xi:include><local-cache name='c'/>";
    assertEquals("[a, b, c]", cachesOf(read(including(include))));
    refused(including("<xi:include href='none.xml'/>"), "does not exist: href=none.xml", "line=2");
  }

  @Test
  void include_withAMistakeInTheFile_namesTheFile() throws IOException {
    write("bad.xml", "<local-cache name='a'\n colour='red'/>");
    refused(including("<xi:include href='bad.xml'/>"), "colour", "bad.xml, line=2");
    write("worse.xml", "<local-cache name='a'>");
    refused(including("<xi:include href='worse.xml'/>"), "malformed", "worse.xml, line=1");
  }

  @Test
  void include_ofItself_ends() throws IOException {
    write(
        "self.xml",
        "<local-cache name='a'><xi:include xmlns:xi='http://www.w3.org/2001/XInclude'"
            + " href='self.xml'/></local-cache>");
    refused(including("<xi:include href='self.xml'/>"), "files that include each other above 8");
  }

  @Test
  void include_withoutFile_orInAnotherForm_isRefused() {
    refused(including("<xi:include/>"), "include without href");
    refused(including("<xi:fallback/>"), "fallback without include");
    refused(including("<xi:include href='a' parse='text'/>"), "use the attribute href alone");
    refused(including("<xi:include href='a' xpointer='b'/>"), "use the attribute href alone");
    refused(including("<xi:include href='.'/>"), "can't be read: href=.");
  }

  @Test
  void include_inADocumentOfAClient_isRefused() {
    Refusal.expect(
        () ->
            ServerDocument.read(
                including("<xi:include href='one.xml'/>"), DocumentFormat.XML, ReadContext.empty()),
        "unknown namespace");
  }
}
