package dev.isogrid.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.isogrid.api.CacheAuthorization;
import dev.isogrid.api.CacheConfig;
import dev.isogrid.api.InvalidRequestException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecurityDocumentTest {
  private static final String REALM =
      """
      <security><security-realms><security-realm name="default">
        <server-identities><ssl>
          <keystore path="s.p12" password="p" alias="a"/><truststore path="t.p12" password="q"/>
        </ssl></server-identities>
        <truststore-realm/>
        <properties-realm groups-attribute="Roles">
          <user-properties path="users.properties" digest-realm-name="D"/>
          <group-properties path="groups.properties"/>
        </properties-realm>
        <token-realm principal-claim="preferred">
          <jwt issuer="i" audience="a" public-key="KEY"/>
        </token-realm>
      </security-realm></security-realms></security>
      """;

  private static ServerSecurity read(String container, String server) {
    String text =
        "<infinispan><cache-container>%s</cache-container><server>%s</server></infinispan>"
            .formatted(container, server);
    return ServerDocument.read(text, DocumentFormat.XML, ReadContext.empty()).security();
  }

  @Test
  void realm_thatTheEndpointNames_isThatOfTheServer() {
    ServerSecurity security =
        read(
            "<security><authorization/></security>",
            REALM
                + "<endpoints security-realm='default' require-ssl-client-auth='true'>"
                + "<hotrod-connector><authentication>"
                + "<sasl mechanisms='SCRAM-SHA-256 PLAIN' server-name='n'/>"
                + "</authentication></hotrod-connector></endpoints>");
    assertEquals(
        new ServerSecurity.Realm(
            "default",
            "D",
            new ServerSecurity.Store("s.p12", "p", "a"),
            new ServerSecurity.Store("t.p12", "q", null),
            true,
            true,
            new ServerSecurity.Token("KEY", "i", "a", "preferred")),
        security.realm());
    assertEquals(List.of("SCRAM-SHA-256", "PLAIN"), security.mechanisms());
    assertEquals("n", security.serverName());
    assertTrue(security.isAuthorized());
    assertTrue(security.isClearTextAllowed());
    assertTrue(security.needsClientCertificate());
    assertEquals(Map.of(), security.roles());
  }

  @Test
  void realm_thatNobodyNames_isNotUsed() {
    ServerSecurity security = read("", REALM + "<endpoints/>");
    assertNull(security.realm());
    assertFalse(security.isAuthorized());
    ServerSecurity.Realm empty =
        read(
                "",
                "<security><security-realms><security-realm name='e'/></security-realms>"
                    + "</security><endpoints security-realm='e'/>")
            .realm();
    assertFalse(Objects.requireNonNull(empty).isLogin());
  }

  @Test
  void roles_ofTheContainer_areReadInEachForm() {
    Map<String, List<String>> expected =
        Map.of("reader", List.of("ALL_READ", "MONITOR"), "boss", List.of("ALL"));
    assertEquals(
        expected,
        read(
                "<security><authorization><roles>"
                    + "<role name='reader' permissions='ALL_READ MONITOR'/>"
                    + "<role name='boss' permissions='ALL' description='d'/>"
                    + "</roles></authorization></security>",
                "")
            .roles());
    String json =
        """
        {"infinispan": {"cache-container": {"security": {"authorization": {"roles": {
          "reader": {"role": {"permissions": ["ALL_READ", "MONITOR"]}},
          "boss": {"role": {"permissions": "ALL"}}}}}}}}
        """;
    assertThrows(
        InvalidRequestException.class,
        () ->
            read(
                "<security><authorization><role name='r' permissions='FLY'/>"
                    + "</authorization></security>",
                ""));
    assertEquals(
        expected.keySet(),
        ServerDocument.read(json, DocumentFormat.JSON, ReadContext.empty())
            .security()
            .roles()
            .keySet());
  }

  @ParameterizedTest
  @EnumSource(DocumentFormat.class)
  void authorization_ofACache_isReadAsWritten(DocumentFormat format) {
    for (CacheAuthorization authorization :
        List.of(
            CacheAuthorization.ALL_ROLES,
            CacheAuthorization.OFF,
            new CacheAuthorization(true, List.of("a", "b")))) {
      CacheConfig config =
          CacheDocument.read("<local-cache/>", DocumentFormat.XML, ReadContext.empty())
              .config()
              .toBuilder()
              .authorization(authorization)
              .build();
      String text = CacheDocument.write("c", config, format);
      assertEquals(config, CacheDocument.read(text, format, ReadContext.empty()).config());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<security-realm name='r'><ldap-realm/></security-realm>",
        "<security-realm name='r'><token-realm/></security-realm>",
        "<security-realm name='r'><server-identities><ssl/></server-identities></security-realm>",
        "<security-realm name='r'><server-identities><kerberos/></server-identities>"
            + "</security-realm>",
        "<security-realm name='r'><properties-realm>"
            + "<user-properties plain-text='true'/></properties-realm></security-realm>",
      })
  void realm_ofAnotherKind_isRefused(String realm) {
    String server = "<security><security-realms>" + realm + "</security-realms></security>";
    assertThrows(InvalidRequestException.class, () -> read("", server));
  }
}
