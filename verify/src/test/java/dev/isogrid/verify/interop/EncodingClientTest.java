package dev.isogrid.verify.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.infinispan.client.hotrod.DataFormat;
import org.infinispan.client.hotrod.Flag;
import org.infinispan.client.hotrod.RemoteCache;
import org.infinispan.client.hotrod.RemoteCacheManager;
import org.infinispan.client.hotrod.RemoteSchemasAdmin;
import org.infinispan.client.hotrod.RemoteSchemasAdmin.SchemaOpResultType;
import org.infinispan.client.hotrod.configuration.ConfigurationBuilder;
import org.infinispan.client.hotrod.exceptions.HotRodClientException;
import org.infinispan.commons.configuration.StringConfiguration;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.commons.marshall.UTF8StringMarshaller;
import org.infinispan.protostream.FileDescriptorSource;
import org.infinispan.protostream.MessageMarshaller;
import org.infinispan.protostream.SerializationContext;
import org.infinispan.protostream.SerializationContextInitializer;
import org.infinispan.protostream.schema.Schema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The official Hot Rod client for Java with message types and data formats, and REST beside it. */
@Tag("interop")
@Tag("deep")
class EncodingClientTest {
  private static final String METADATA = "___protobuf_metadata";
  private static final String JSON = "application/json";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private static ServerProcess server;
  private static RemoteCacheManager manager;
  private static RemoteCache<String, Object> people;

  /** A value class of an application. */
  record Person(String name, int age) {}

  /** The marshaller that the generator makes for a type, written by hand. */
  private static final class PersonSchema implements SerializationContextInitializer {
    private static final String FILE =
        """
        syntax = "proto2";
        package t;
        message Person {
          optional string name = 1;
          optional int32 age = 2;
        }
        """;

    @Override
    public void registerSchema(SerializationContext context) {
      context.registerProtoFiles(FileDescriptorSource.fromString("person.proto", FILE));
    }

    @Override
    public void registerMarshallers(SerializationContext context) {
      context.registerMarshaller(new PersonMarshaller());
    }
  }

  private static final class PersonMarshaller implements MessageMarshaller<Person> {
    @Override
    public Class<Person> getJavaClass() {
      return Person.class;
    }

    @Override
    public String getTypeName() {
      return "t.Person";
    }

    @Override
    public Person readFrom(ProtoStreamReader reader) throws IOException {
      return new Person(reader.readString("name"), reader.readInt("age"));
    }

    @Override
    public void writeTo(ProtoStreamWriter writer, Person person) throws IOException {
      writer.writeString("name", person.name());
      writer.writeInt("age", person.age());
    }
  }

  @BeforeAll
  static void start() {
    server = ServerProcess.start();
    ConfigurationBuilder builder = new ConfigurationBuilder();
    builder.addServer().host("127.0.0.1").port(server.port());
    builder.addContextInitializer(new PersonSchema());
    manager = new RemoteCacheManager(builder.build());
    people = create("people", "application/x-protostream");
    manager.<String, String>getCache(METADATA).put("person.proto", PersonSchema.FILE);
  }

  @AfterAll
  static void stop() {
    manager.close();
    server.close();
  }

  private static <K, V> RemoteCache<K, V> create(String name, String mediaType) {
    String document =
        "<distributed-cache><encoding media-type=\"%s\"/></distributed-cache>".formatted(mediaType);
    return manager.administration().getOrCreateCache(name, new StringConfiguration(document));
  }

  private static HttpResponse<String> rest(
      String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:%d/rest/v2/%s".formatted(server.port(), path)))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static RemoteCache<String, String> as(
      RemoteCache<?, ?> cache, MediaType keys, MediaType values) {
    return cache.withDataFormat(
        DataFormat.builder()
            .keyType(keys)
            .keyMarshaller(new UTF8StringMarshaller())
            .valueType(values)
            .valueMarshaller(new UTF8StringMarshaller())
            .build());
  }

  @Test
  void message_writtenInJava_isReadByRestAsJson_andTheOtherWayRound() {
    people.put("ada", new Person("Ada", 36));
    assertEquals(new Person("Ada", 36), people.get("ada"));
    HttpResponse<String> json = rest("GET", "caches/people/ada", "", "Accept", JSON);
    assertEquals("{\"_type\":\"t.Person\",\"name\":\"Ada\",\"age\":36}", json.body());
    assertEquals(JSON, json.headers().firstValue("content-type").orElse(""));
    String other = "{\"_type\":\"t.Person\",\"name\":\"Alan\",\"age\":41}";
    assertEquals(204, rest("PUT", "caches/people/alan", other, "Content-Type", JSON).statusCode());
    assertEquals(new Person("Alan", 41), people.get("alan"));
    assertTrue(
        rest("GET", "caches/people?action=entries", "").body().contains("\"value\":" + other));
  }

  @Test
  void jsonFormat_writesAndReadsMessages() {
    RemoteCache<String, String> json = as(people, MediaType.TEXT_PLAIN, MediaType.APPLICATION_JSON);
    String text = "{\"_type\":\"t.Person\",\"name\":\"Grace\",\"age\":85}";
    json.put("grace", text);
    assertEquals(new Person("Grace", 85), people.get("grace"));
    assertEquals(text, json.get("grace"));
    assertEquals(text, json.getWithMetadata("grace").getValue());
    assertEquals(Map.of("grace", text), json.getAll(Set.of("grace", "nobody")));
    assertEquals(text, json.withFlags(Flag.FORCE_RETURN_VALUE).put("grace", text));
    assertEquals(text, json.withFlags(Flag.FORCE_RETURN_VALUE).remove("grace"));
    assertThrows(HotRodClientException.class, () -> json.put("bad", "{\"name\":\"x\"}"));
    assertThrows(HotRodClientException.class, () -> json.put("bad", "no JSON"));
    assertNull(people.get("bad"));
  }

  @Test
  void iteration_inJson_readsMessages() {
    RemoteCache<String, Object> cache = create("iterated", "application/x-protostream");
    Map<String, String> expected = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      cache.put("k" + i, new Person("p" + i, i));
      expected.put("k" + i, "{\"_type\":\"t.Person\",\"name\":\"p%d\",\"age\":%d}".formatted(i, i));
    }
    Map<String, String> seen = new HashMap<>();
    as(cache, MediaType.TEXT_PLAIN, MediaType.APPLICATION_JSON)
        .entrySet()
        .forEach(entry -> assertNull(seen.put(entry.getKey(), entry.getValue())));
    assertEquals(expected, seen);
  }

  @Test
  void textFormat_sharesAProtostreamCacheWithTheDefaultOne() {
    RemoteCache<String, String> strings = create("strings", "application/x-protostream");
    RemoteCache<String, String> text = as(strings, MediaType.TEXT_PLAIN, MediaType.TEXT_PLAIN);
    text.put("t", "with text €");
    assertEquals("with text €", strings.get("t"));
    strings.put("s", "with objects");
    assertEquals("with objects", text.get("s"));
    assertTrue(text.replace("s", "with objects", "again"));
    assertEquals(Set.of("s", "t"), Set.copyOf(text.keySet()));
    assertEquals("again", rest("GET", "caches/strings/s", "", "Accept", "text/plain").body());
  }

  @Test
  void textCache_isSharedByTheDefaultFormatAndRest() {
    RemoteCache<String, String> cache = create("texts", "text/plain");
    cache.put("k", "v");
    assertEquals("v", cache.get("k"));
    assertTrue(cache.containsKey("k"));
    assertEquals("v", rest("GET", "caches/texts/k", "").body());
    rest("PUT", "caches/texts/r", "rest", "Content-Type", "text/plain");
    assertEquals("rest", cache.get("r"));
    RemoteCache<String, String> json = as(cache, MediaType.TEXT_PLAIN, MediaType.APPLICATION_JSON);
    assertThrows(HotRodClientException.class, () -> json.get("k"));
    rest("PUT", "caches/texts/j", "{}", "Content-Type", "text/plain");
    assertEquals("{}", json.get("j"));
  }

  @Test
  void jsonCache_isSharedByTextAndRest() {
    RemoteCache<?, ?> cache = create("jsons", JSON);
    RemoteCache<String, String> json =
        as(cache, MediaType.APPLICATION_JSON, MediaType.APPLICATION_JSON);
    json.put("\"k\"", "{\"a\":1}");
    assertEquals("{\"a\":1}", json.get("\"k\""));
    assertEquals("{\"a\":1}", rest("GET", "caches/jsons/%22k%22", "").body());
  }

  @Test
  void brokenSchema_isToldOfWhereClientsLook() {
    RemoteCache<String, String> metadata = manager.getCache(METADATA);
    metadata.put("broken.proto", "message {");
    assertTrue(String.valueOf(metadata.get("broken.proto.errors")).contains("broken.proto"));
    assertTrue(String.valueOf(metadata.get(".errors")).contains("broken.proto"));
    assertTrue(rest("GET", "schemas", "").body().contains("Schema broken.proto has errors"));
    metadata.remove("broken.proto");
    assertNull(metadata.get("broken.proto.errors"));
    assertFalse(metadata.containsKey(".errors"));
    assertEquals(PersonSchema.FILE, rest("GET", "schemas/person", "").body());
  }

  @Test
  void schemasOfTheAdministration_areWrittenReadAndRemoved() {
    RemoteSchemasAdmin schemas = manager.administration().schemas();
    Schema schema = Schema.buildFromStringContent("a.proto", "package a; message A {}");
    assertEquals(SchemaOpResultType.CREATED, schemas.create(schema).getType());
    assertEquals(SchemaOpResultType.NONE, schemas.create(schema).getType());
    assertTrue(schemas.exists("a.proto"));
    assertEquals(schema.getContent(), schemas.get("a.proto").orElseThrow().getContent());
    Schema broken = Schema.buildFromStringContent("a.proto", "message {");
    RemoteSchemasAdmin.SchemaOpResult updated = schemas.createOrUpdate(broken);
    assertEquals(SchemaOpResultType.UPDATED, updated.getType());
    assertTrue(updated.getError().contains("a.proto"));
    assertTrue(schemas.retrieveError("a.proto").orElseThrow().contains("a.proto"));
    assertTrue(schemas.retrieveAllSchemaErrors().toString().contains("a.proto"));
    assertEquals(SchemaOpResultType.DELETED, schemas.remove("a.proto").getType());
    assertFalse(schemas.exists("a.proto"));
  }
}
