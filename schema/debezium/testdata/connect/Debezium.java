import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.config.CommonConnectorConfig.EventConvertingFailureHandlingMode;
import io.debezium.config.Configuration;
import io.debezium.connector.oracle.OracleConnection;
import io.debezium.connector.oracle.OracleConnectorConfig;
import io.debezium.connector.oracle.OracleDefaultValueConverter;
import io.debezium.connector.oracle.OracleValueConverters;
import io.debezium.connector.oracle.Scn;
import io.debezium.connector.oracle.SourceInfo;
import io.debezium.jdbc.JdbcConfiguration;
import io.debezium.relational.Column;
import io.debezium.relational.ColumnEditor;
import io.debezium.relational.CustomConverterRegistry;
import io.debezium.relational.Table;
import io.debezium.relational.TableEditor;
import io.debezium.relational.TableId;
import io.debezium.relational.TableSchema;
import io.debezium.relational.TableSchemaBuilder;
import io.debezium.schema.FieldNameSelector;
import io.debezium.schema.SchemaTopicNamingStrategy;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import oracle.sql.CharacterSet;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;

/**
 * Makes the create event of a row with the classes of Debezium's Oracle connector: table, configuration and the values as its parser of
 * SQL_REDO hands them on come as JSON, one request a line. What goes out is the key and the value as Connect's JSON converter writes them,
 * and between them the key as its simple converter writes it into a header, line breaks and tabs escaped.
 */
public class Debezium {
    /** A connection that nobody opens: the converters ask it for the character sets only. */
    static class Unopened extends OracleConnection {
        Unopened() {
            super(JdbcConfiguration.adapt(Configuration.from(Map.of("hostname", "h", "port", "1", "dbname", "ORCL", "user", "u"))), true);
        }

        @Override
        public CharacterSet getDatabaseCharacterSet() {
            return CharacterSet.make(CharacterSet.AL32UTF8_CHARSET);
        }

        @Override
        public CharacterSet getNationalCharacterSet() {
            return CharacterSet.make(CharacterSet.AL16UTF16_CHARSET);
        }
    }

    /** The parts of the source block that golden records have. */
    static class Place extends SourceInfo {
        Place(OracleConnectorConfig config) {
            super(config);
        }
    }

    public static void main(String[] args) throws Exception {
        ObjectMapper json = new ObjectMapper();
        JsonConverter keys = new JsonConverter();
        keys.configure(Map.of("schemas.enable", "true", "replace.null.with.default", "false"), true);
        JsonConverter values = new JsonConverter();
        values.configure(Map.of("schemas.enable", "true", "replace.null.with.default", "false"), false);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer;
            try {
                answer = record(json.readTree(line), keys, values);
            } catch (Throwable e) {
                StringBuilder causes = new StringBuilder("ERROR");
                for (Throwable t = e; t != null; t = t.getCause()) {
                    causes.append(' ').append(t);
                }
                answer = causes.toString().replace('\n', ' ');
            }
            out.print(answer + "\n");
        }
        out.flush();
    }

    static String record(JsonNode request, JsonConverter keys, JsonConverter values) {
        Configuration.Builder properties = Configuration.create().with("topic.prefix", "server1").with("database.dbname", "ORCL")
                .with("database.pdb.name", "ORCLPDB1").with("database.hostname", "h").with("database.user", "u").with("name", "server1");
        request.get("config").fields().forEachRemaining(e -> properties.with(e.getKey(), e.getValue().asText()));
        OracleConnectorConfig config = new OracleConnectorConfig(properties.build());
        TableId id = new TableId("ORCLPDB1", "INVENTORY", "CUSTOMERS");
        TableEditor editor = Table.editor().tableId(id);
        List<Object> row = new ArrayList<>();
        int position = 1;
        for (JsonNode c : request.get("columns")) {
            ColumnEditor column = Column.editor().name(c.get("name").asText()).position(position++).jdbcType(c.get("jdbc").asInt())
                    .type(c.get("type").asText(), c.get("type").asText()).optional(c.get("optional").asBoolean());
            if (c.has("length")) {
                column.length(c.get("length").asInt());
            }
            if (c.has("scale")) {
                column.scale(c.get("scale").asInt());
            }
            if (c.has("default")) {
                column.defaultValueExpression(c.get("default").asText());
            }
            editor.addColumn(column.create());
            row.add(c.get("value").isNull() ? null : c.get("value").asText());
        }
        if (request.has("key")) {
            editor.setPrimaryKeyNames(request.get("key").asText());
        }
        Table table = editor.create();
        OracleConnection unopened = new Unopened();
        OracleValueConverters converters = new OracleValueConverters(config, unopened);
        TableSchemaBuilder builder = new TableSchemaBuilder(converters, new OracleDefaultValueConverter(converters, unopened),
                config.schemaNameAdjuster(), new CustomConverterRegistry(List.of()), config.getSourceInfoStructMaker().schema(),
                FieldNameSelector.defaultSelector(config.fieldNameAdjuster()), false, EventConvertingFailureHandlingMode.FAIL);
        TableSchema schema = builder.create(SchemaTopicNamingStrategy.create(config), table, null, null, config.getKeyMapper());
        Struct after = schema.valueFromColumnData(row.toArray());
        Place place = new Place(config);
        place.tableEvent(id);
        place.setEventScn(Scn.valueOf("2122185"));
        place.setEventCommitScn(Scn.valueOf("2122190"));
        place.setTransactionId("02000a0037030000");
        place.setTransactionSequence(1L);
        place.setRedoThread(1);
        place.setSourceTime(Instant.ofEpochMilli(1700000000000L));
        Struct source = config.getSourceInfoStructMaker().struct(place);
        Struct envelope = schema.getEnvelopeSchema().create(after, source, Instant.ofEpochSecond(1700000001L, 123456789L));
        byte[] value = values.fromConnectData("t", envelope.schema(), envelope);
        byte[] key = new byte[0];
        byte[] header = new byte[0];
        if (schema.keySchema() != null) {
            Struct columns = schema.keyFromColumnData(row.toArray());
            key = keys.fromConnectData("t", schema.keySchema(), columns);
            header = new SimpleHeaderConverter().fromConnectHeader("t", "__debezium.newkey", schema.keySchema(), columns);
        }
        return new String(key, StandardCharsets.UTF_8) + "\t" + new String(header, StandardCharsets.UTF_8).replace("\n", "\\n").replace("\r", "\\r")
                .replace("\t", "\\t") + "\t" + new String(value, StandardCharsets.UTF_8);
    }
}
