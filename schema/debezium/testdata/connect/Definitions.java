import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.config.Configuration;
import io.debezium.connector.oracle.OracleConnection;
import io.debezium.connector.oracle.OracleConnectorConfig;
import io.debezium.connector.oracle.OracleValueConverters;
import io.debezium.connector.oracle.Scn;
import io.debezium.connector.oracle.SourceInfo;
import io.debezium.connector.oracle.antlr.OracleDdlParser;
import io.debezium.jdbc.JdbcConfiguration;
import io.debezium.relational.TableId;
import io.debezium.relational.Tables;
import io.debezium.relational.ddl.DdlChanges;
import io.debezium.relational.ddl.DdlParserListener;
import io.debezium.relational.history.ConnectTableChangeSerializer;
import io.debezium.relational.history.HistoryRecord;
import io.debezium.relational.history.TableChanges;
import io.debezium.schema.SchemaFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import oracle.sql.CharacterSet;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;

/**
 * Makes the schema change record of a statement with the classes of Debezium's Oracle connector: statements come as a JSON array, one
 * request a line, its DDL parser reads all of them, and the record is that of the last one. What goes out is key and value as Connect's JSON
 * converter writes them.
 */
public class Definitions {
    /** A connection that nobody opens. */
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

    static String record(JsonNode statements, JsonConverter keys, JsonConverter values) {
        OracleConnectorConfig config = new OracleConnectorConfig(Configuration.create().with("topic.prefix", "server1").with("database.dbname", "ORCL")
                .with("database.pdb.name", "ORCLPDB1").with("database.hostname", "h").with("database.user", "u").with("name", "server1").build());
        OracleDdlParser parser = new OracleDdlParser(true, new OracleValueConverters(config, new Unopened()), Tables.TableFilter.includeAll());
        Tables tables = new Tables();
        String ddl = "";
        DdlChanges changed = null;
        for (JsonNode statement : statements) {
            parser.setCurrentDatabase("ORCLPDB1");
            parser.setCurrentSchema("INVENTORY");
            changed = null;
            ddl = statement.asText();
            changed = parser.parse(ddl, tables);
        }
        TableChanges changes = new TableChanges();
        TableId[] of = new TableId[] {new TableId("ORCLPDB1", "INVENTORY", "CUSTOMERS")};
        String[] named = new String[] {"CUSTOMERS"};
        changed.getEventsByDatabase((database, events) -> events.forEach(event -> {
            switch (event.type()) {
                case CREATE_TABLE -> {
                    of[0] = ((DdlParserListener.TableCreatedEvent) event).tableId();
                    changes.create(tables.forTable(of[0]));
                }
                case ALTER_TABLE -> {
                    DdlParserListener.TableAlteredEvent altered = (DdlParserListener.TableAlteredEvent) event;
                    of[0] = altered.tableId();
                    if (altered.previousTableId() != null) {
                        changes.rename(tables.forTable(of[0]), altered.previousTableId());
                    } else {
                        changes.alter(tables.forTable(of[0]));
                    }
                }
                case DROP_TABLE -> {
                    of[0] = ((DdlParserListener.TableDroppedEvent) event).tableId();
                    changes.drop(of[0]);
                }
                default -> {
                }
            }
        }));
        Place place = new Place(config);
        place.tableEvent(of[0]);
        place.setEventScn(Scn.valueOf("2122185"));
        place.setEventCommitScn(Scn.valueOf("2122190"));
        place.setTransactionId("02000a0037030000");
        place.setTransactionSequence(1L);
        place.setRedoThread(1);
        place.setSourceTime(Instant.ofEpochMilli(1700000000000L));
        ConnectTableChangeSerializer serializer = new ConnectTableChangeSerializer(config.schemaNameAdjuster());
        Schema keySchema = SchemaFactory.get().schemaHistoryConnectorKeySchema(config.schemaNameAdjuster(), config);
        Schema valueSchema = SchemaFactory.get().schemaHistoryConnectorValueSchema(config.schemaNameAdjuster(), config, serializer);
        Struct key = new Struct(keySchema);
        key.put(HistoryRecord.Fields.DATABASE_NAME, "ORCLPDB1");
        Struct value = new Struct(valueSchema);
        value.put(HistoryRecord.Fields.SOURCE, config.getSourceInfoStructMaker().struct(place));
        value.put(HistoryRecord.Fields.TIMESTAMP, 1700000000123L);
        value.put(HistoryRecord.Fields.DATABASE_NAME, "ORCLPDB1");
        value.put(HistoryRecord.Fields.SCHEMA_NAME, "INVENTORY");
        value.put(HistoryRecord.Fields.DDL_STATEMENTS, ddl);
        value.put(HistoryRecord.Fields.TABLE_CHANGES, serializer.serialize(changes));
        return new String(keys.fromConnectData("t", keySchema, key), StandardCharsets.UTF_8) + "\t"
                + new String(values.fromConnectData("t", valueSchema, value), StandardCharsets.UTF_8);
    }
}
