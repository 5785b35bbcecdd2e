package dev.isogrid.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The description of the properties for editors agrees with the properties. */
class ConfigurationMetadataTest {
  private static final String FILE = "/META-INF/spring-configuration-metadata.json";

  @Test
  void metadata_ofAllProperties_hasTheirTypesAndDefaults() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    collect("isogrid", IsogridProperties.class, expected);
    assertEquals(expected, told());
  }

  /** By property, its type and default. */
  private static void collect(String prefix, Class<?> type, Map<String, String> into) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name =
          prefix + "." + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      if (component.getType().isRecord()) {
        collect(name, component.getType(), into);
      } else {
        into.put(name, type(component) + "=" + defaultOf(type, component));
      }
    }
  }

  private static String type(RecordComponent component) {
    return switch (component.getType().getName()) {
      case "boolean" -> "java.lang.Boolean";
      case "int" -> "java.lang.Integer";
      case "long" -> "java.lang.Long";
      case "java.util.List" -> "java.util.List<java.lang.String>";
      default -> component.getType().getName();
    };
  }

  private static @Nullable String defaultOf(Class<?> type, RecordComponent component) {
    List<String> names =
        List.of(type.getRecordComponents()).stream().map(RecordComponent::getName).toList();
    DefaultValue value =
        type.getDeclaredConstructors()[0].getParameters()[names.indexOf(component.getName())]
            .getAnnotation(DefaultValue.class);
    return value == null || value.value().length == 0 ? null : value.value()[0];
  }

  private static Map<String, String> told() throws IOException {
    Map<String, String> told = new TreeMap<>();
    try (InputStream in = ConfigurationMetadataTest.class.getResourceAsStream(FILE);
        JsonParser json = new JsonFactory().createParser(in)) {
      while (!"properties".equals(json.currentName())) {
        assertNotNull(json.nextToken(), "properties");
      }
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
          Map<String, String> property = property(json);
          assertTrue(String.valueOf(property.get("description")).endsWith("."));
          told.put(
              String.valueOf(property.get("name")),
              property.get("type") + "=" + property.get("defaultValue"));
        }
      }
    }
    return told;
  }

  private static Map<String, String> property(JsonParser json) throws IOException {
    Map<String, String> fields = new TreeMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      fields.put(name, json.getText());
    }
    return fields;
  }
}
