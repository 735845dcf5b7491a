import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import oracle.jdbc.OracleConnection;
import oracle.jdbc.OraclePreparedStatement;
import oracle.jdbc.OracleTypes;

/**
 * The list of behaviours with Oracle's JDBC thin driver. Run by TestConformance.
 *
 * <p>Arguments: connect string, user, password, connect string of the TLS listener, trust store of its certificate.
 * Every check prints a line of JSON; package conformance says what the lines mean.
 */
public class Conformance {
    static final String LARGE = "Grüße, 世界 🌍. ".repeat(6000);
    static final byte[] BYTES = new byte[200_003];

    static String dsn;
    static String user;
    static String password;
    static String tls;
    static String trustStore;

    interface Work {
        void run(Connection c) throws Exception;
    }

    interface Action {
        void run() throws Exception;
    }

    static Connection connect(String dsn, String user, String password, Properties more) throws SQLException {
        Properties p = new Properties(more);
        p.putAll(more);
        p.put("user", user);
        p.put("password", password);
        Connection c = DriverManager.getConnection("jdbc:oracle:thin:@" + dsn, p);
        c.setAutoCommit(false);
        return c;
    }

    static Connection connect() throws SQLException {
        return connect(dsn, user, password, new Properties());
    }

    static void same(String name, Object got, Object want) {
        if (!(got == null ? want == null : got.equals(want))) {
            throw new AssertionError(name + ": got " + shown(got) + ", want " + shown(want));
        }
    }

    static String shown(Object o) {
        String s = String.valueOf(o);
        return s.length() < 200 ? s : s.substring(0, 100) + "... of " + s.length();
    }

    static SQLException fails(Action work, Integer... codes) throws Exception {
        try {
            work.run();
        } catch (SQLException e) {
            if (codes.length > 0 && !Arrays.asList(codes).contains(e.getErrorCode())) {
                throw new AssertionError("error " + e.getMessage() + ", want " + Arrays.toString(codes));
            }
            return e;
        }
        throw new AssertionError("no error, want " + Arrays.toString(codes));
    }

    static void check(String name, Work work) {
        String outcome = "ok";
        String note = "";
        try (Connection c = connect()) {
            work.run(c);
        } catch (Throwable e) {
            outcome = "failed";
            note = e.toString();
        }
        note = note.lines().findFirst().orElse("").replace("\\", "\\\\").replace("\"", "\\\"");
        System.out.println("{\"check\": \"" + name + "\", \"outcome\": \"" + outcome + "\", \"note\": \"" + note + "\"}");
    }

    /** The rows of a query, each value as text. */
    static List<List<String>> rows(Connection c, String sql, Object... binds) throws SQLException {
        try (PreparedStatement s = c.prepareStatement(sql)) {
            for (int i = 0; i < binds.length; i++) {
                s.setObject(i + 1, binds[i]);
            }
            try (ResultSet r = s.executeQuery()) {
                return rows(r);
            }
        }
    }

    static List<List<String>> rows(ResultSet r) throws SQLException {
        int columns = r.getMetaData().getColumnCount();
        List<List<String>> all = new ArrayList<>();
        while (r.next()) {
            List<String> row = new ArrayList<>();
            for (int i = 1; i <= columns; i++) {
                row.add(r.getString(i));
            }
            all.add(row);
        }
        return all;
    }

    static void execute(Connection c, String sql) throws SQLException {
        try (Statement s = c.createStatement()) {
            s.execute(sql);
        }
    }

    static void logon(Connection c) throws SQLException {
        same("user", rows(c, "select user from dual"), List.of(List.of(user.toUpperCase())));
    }

    static void logonRefused(Connection c) throws Exception {
        fails(() -> connect(dsn, user, "wrong", new Properties()), 1017);
        fails(() -> connect(dsn, "nobody", password, new Properties()), 1017);
    }

    static void unknownService(Connection c) throws Exception {
        String nowhere = dsn.substring(0, dsn.lastIndexOf('/')) + "/NOWHERE";
        fails(() -> connect(nowhere, user, password, new Properties()), 12514);
    }

    static void attributes(Connection c) throws Exception {
        int version = c.getMetaData().getDatabaseMajorVersion();
        same("version", version == 19 || version == 23, true);
        same("session", rows(c, "select sys_context('USERENV', 'SID') from dual").get(0).get(0).matches("\\d+"), true);
        c.setClientInfo("OCSID.MODULE", "a module");
        c.setClientInfo("OCSID.ACTION", "an action");
        c.setClientInfo("OCSID.CLIENTID", "an id");
        same("labels", rows(c, "select sys_context('USERENV', 'MODULE'), sys_context('USERENV', 'ACTION'), "
            + "sys_context('USERENV', 'CLIENT_IDENTIFIER') from dual"), List.of(List.of("a module", "an action", "an id")));
    }

    static void alterSession(Connection c) throws Exception {
        execute(c, "alter session set nls_date_format = 'YYYY/DD/MM'");
        same("date", rows(c, "select to_char(date '2024-02-29') from dual"), List.of(List.of("2024/29/02")));
    }

    static void describe(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("select n38, neg, sc, v, dt from conf_types"); ResultSet r = s.executeQuery()) {
            ResultSetMetaData m = r.getMetaData();
            String[] names = {"N38", "NEG", "SC", "V", "DT"};
            int[][] sizes = {{38, 0}, {5, -2}, {10, 2}};
            for (int i = 0; i < names.length; i++) {
                same("name", m.getColumnName(i + 1), names[i]);
            }
            for (int i = 0; i < sizes.length; i++) {
                same("precision", m.getPrecision(i + 1), sizes[i][0]);
                same("scale", m.getScale(i + 1), sizes[i][1]);
            }
            same("size", m.getPrecision(4), 100);
        }
    }

    static final String COLUMNS = "n, n38, neg, sc, v, nv, ch, dt, ts, tz, r, bd, bf";

    static void types(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("select " + COLUMNS + ", rowid from conf_types where id = 1");
                ResultSet r = s.executeQuery()) {
            same("row", r.next(), true);
            same("N", r.getLong(1), -1234567L);
            same("N38", r.getBigDecimal(2), new BigDecimal("9".repeat(38)));
            same("NEG", r.getLong(3), 1234500L);
            same("SC", r.getBigDecimal(4), new BigDecimal("-0.05"));
            same("V", r.getString(5), "Grüße 🌍");
            same("NV", r.getNString(6), "Grüße 🌍");
            same("CH", r.getString(7), "ab   ");
            same("DT", r.getTimestamp(8), Timestamp.valueOf("2024-02-29 12:34:56"));
            same("TS", r.getTimestamp(9), Timestamp.valueOf("2024-02-29 12:34:56.123456"));
            same("TZ", r.getObject(10, OffsetDateTime.class), OffsetDateTime.parse("2024-02-29T12:34:56.123456+02:00"));
            same("R", Arrays.toString(r.getBytes(11)), "[0, 1, -2, -1]");
            same("BD", r.getDouble(12), -1.5);
            same("BF", r.getFloat(13), 0.5f);
            String rowid = new String(r.getBytes(14), StandardCharsets.US_ASCII);
            same("row by its ROWID", rows(c, "select id from conf_types where rowid = ?", rowid), List.of(List.of("1")));
        }
    }

    static void nulls(Connection c) throws Exception {
        same("values", rows(c, "select " + COLUMNS + " from conf_types where id = 2"), List.of(Arrays.asList(new String[13])));
    }

    static void lobs(Connection c) throws Exception {
        execute(c, "create table conf_lobs (id number primary key, c clob, nc nclob, b blob)");
        try (PreparedStatement s = c.prepareStatement("insert into conf_lobs values (?, ?, ?, ?)")) {
            Clob k = c.createClob();
            k.setString(1, LARGE);
            NClob n = c.createNClob();
            n.setString(1, LARGE);
            Blob b = c.createBlob();
            b.setBytes(1, BYTES);
            s.setInt(1, 1);
            s.setClob(2, k);
            s.setNClob(3, n);
            s.setBlob(4, b);
            s.executeUpdate();
            s.setInt(1, 2);
            s.setNull(2, Types.CLOB);
            s.setNull(3, Types.NCLOB);
            s.setNull(4, Types.BLOB);
            s.executeUpdate();
            s.setInt(1, 3);
            s.setString(2, LARGE);
            s.setNString(3, LARGE);
            s.setBytes(4, BYTES);
            s.executeUpdate();
        }
        for (int prefetch : new int[] {0, 100, 1 << 20}) {
            try (Statement s = c.createStatement()) {
                s.unwrap(oracle.jdbc.OracleStatement.class).setLobPrefetchSize(prefetch);
                try (ResultSet r = s.executeQuery("select c, nc, b from conf_lobs order by id")) {
                    for (int i = 1; i <= 3; i++) {
                        same("row", r.next(), true);
                        same("CLOB", r.getString(1), i == 2 ? null : LARGE);
                        same("NCLOB", r.getString(2), i == 2 ? null : LARGE);
                        same("BLOB", i == 2 ? r.getBytes(3) == null : Arrays.equals(r.getBytes(3), BYTES), true);
                    }
                }
            }
        }
    }

    static void temporaryLobs(Connection c) throws Exception {
        for (Clob k : new Clob[] {c.createClob(), c.createNClob()}) {
            same("empty", k.length(), 0L);
            k.setString(1, LARGE);
            same("content", k.getSubString(1, LARGE.length()), LARGE);
            k.truncate(10);
            same("truncated", k.length(), 10L);
            k.free();
        }
        Blob b = c.createBlob();
        b.setBytes(1, BYTES);
        same("content", Arrays.equals(b.getBytes(1, BYTES.length), BYTES), true);
        b.free();
    }

    static void binds(Connection c) throws Exception {
        Timestamp when = Timestamp.valueOf("2021-03-04 05:06:07");
        Object[][] all = {
            {new BigDecimal(42), "Grüße 🌍", new byte[] {1, 2}, when, new BigDecimal("1.5")},
            {null, null, null, null, null},
            {BigDecimal.TEN.pow(30).negate(), "x".repeat(4000), "y".repeat(2000).getBytes(StandardCharsets.US_ASCII), when, BigDecimal.ZERO},
        };
        try (PreparedStatement s = c.prepareStatement("select ?, ?, ?, ?, ? from dual")) {
            for (Object[] values : all) {
                s.setBigDecimal(1, (BigDecimal) values[0]);
                s.setString(2, (String) values[1]);
                s.setBytes(3, (byte[]) values[2]);
                s.setTimestamp(4, (Timestamp) values[3]);
                s.setBigDecimal(5, (BigDecimal) values[4]);
                try (ResultSet r = s.executeQuery()) {
                    same("row", r.next(), true);
                    same("number", r.getBigDecimal(1), values[0]);
                    same("text", r.getString(2), values[1]);
                    same("bytes", Arrays.toString(r.getBytes(3)), Arrays.toString((byte[]) values[2]));
                    same("timestamp", r.getTimestamp(4), values[3]);
                    same("number", r.getBigDecimal(5), values[4]);
                }
            }
        }
    }

    static void namedBinds(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("select :b || :a, :b from dual")) {
            OraclePreparedStatement o = s.unwrap(OraclePreparedStatement.class);
            o.setStringAtName("a", "1");
            o.setStringAtName("b", "2");
            try (ResultSet r = o.executeQuery()) {
                same("rows", rows(r), List.of(List.of("21", "2")));
            }
        }
    }

    static void arrayBinds(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("insert into conf_target values (?, ?)")) {
            for (int i = 0; i < 300; i++) {
                s.setInt(1, i);
                s.setString(2, "x".repeat(i));
                s.addBatch();
            }
            same("rows", s.executeBatch().length, 300);
        }
        same("sums", rows(c, "select count(*), sum(n), sum(length(s)) from conf_target"), List.of(List.of("300", "44850", "44850")));
    }

    static void blocks(Connection c) throws Exception {
        try (CallableStatement s = c.prepareCall("begin ? := ? * 2; ? := ? || '!'; end;")) {
            for (int i = 0; i < 3; i++) {
                s.registerOutParameter(1, Types.NUMERIC);
                s.setInt(2, i);
                s.registerOutParameter(3, Types.VARCHAR);
                s.setString(4, "hello");
                s.execute();
                same("out", s.getInt(1), 2 * i);
                same("out", s.getString(3), "hello!");
            }
        }
    }

    static void refCursors(Connection c) throws Exception {
        try (CallableStatement s = c.prepareCall("begin open ? for select n, s from conf_numbers order by n; end;")) {
            s.registerOutParameter(1, OracleTypes.CURSOR);
            s.execute();
            try (ResultSet r = (ResultSet) s.getObject(1)) {
                List<List<String>> all = rows(r);
                same("rows", all.size(), 1000);
                same("last", all.get(999), List.of("999", "row 999"));
            }
        }
    }

    static void returning(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("insert into conf_target values (7, 'seven') returning n * 2 into ?")) {
            OraclePreparedStatement o = s.unwrap(OraclePreparedStatement.class);
            o.registerReturnParameter(1, Types.NUMERIC);
            o.executeUpdate();
            try (ResultSet r = o.getReturnResultSet()) {
                same("value", rows(r), List.of(List.of("14")));
            }
        }
    }

    static void batchErrors(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("insert into conf_numbers (n) values (?)")) {
            for (int n : new int[] {2000, 5, 2001}) {
                s.setInt(1, n);
                s.addBatch();
            }
            fails(s::executeBatch, 1);
        }
        same("rows", rows(c, "select count(*) from conf_numbers where n = 2000"), List.of(List.of("1")));
        c.rollback(); // closing a connection commits
    }

    static void again(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("select n from conf_numbers where n < ? order by n")) {
            for (int n : new int[] {5, 0, 10, 35, 1}) {
                s.setInt(1, n);
                try (ResultSet r = s.executeQuery()) {
                    same("rows", rows(r).size(), n);
                }
            }
        }
    }

    static void fetches(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("select n, s from conf_numbers where n < ? order by n")) {
            for (int n : new int[] {0, 1, 2, 3, 100, 101, 1000}) {
                for (int size : new int[] {1, 3, 100}) {
                    s.setFetchSize(size);
                    s.setInt(1, n);
                    try (ResultSet r = s.executeQuery()) {
                        int i = 0;
                        for (; r.next(); i++) {
                            same("N", r.getInt(1), i);
                            same("S", r.getString(2), "row " + i);
                        }
                        same("rows", i, n);
                    }
                }
            }
        }
    }

    static void errors(Connection c) throws Exception {
        fails(() -> rows(c, "select * from nowhere"), 942);
        SQLException e = fails(() -> execute(c, "begin execute immediate 'select * from nowhere'; end;"), 942);
        same("stack", e.getMessage().contains("ORA-06512"), true);
        fails(() -> rows(c, "select 1 / (500 - n) from conf_numbers"), 1476);
        logon(c);
    }

    static void transactions(Connection c) throws Exception {
        execute(c, "insert into conf_target values (1000, 'rolled back')");
        c.rollback();
        execute(c, "insert into conf_target values (1001, 'committed')");
        c.commit();
        c.setAutoCommit(true);
        execute(c, "insert into conf_target values (1002, 'by itself')");
        try (Connection other = connect()) {
            same("seen", rows(other, "select n from conf_target where n >= 1000 order by n"), List.of(List.of("1001"), List.of("1002")));
        }
    }

    static void ping(Connection c) throws Exception {
        for (int i = 0; i < 3; i++) {
            same("ping", c.unwrap(OracleConnection.class).pingDatabase(), OracleConnection.DATABASE_OK);
        }
        c.close();
        fails(() -> logon(c));
    }

    static void cancel(Connection c) throws Exception {
        try (Statement s = c.createStatement()) {
            s.setQueryTimeout(1);
            fails(() -> s.execute("begin dbms_session.sleep(60); end;"), 1013);
            s.setQueryTimeout(0);
            logon(c);
            Thread t = later(s, 1000);
            fails(() -> s.execute("begin dbms_session.sleep(60); end;"), 1013);
            t.join();
        }
        logon(c);
    }

    /** Cancels a statement after some time. */
    static Thread later(Statement s, int millis) {
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(millis);
                s.cancel();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        t.start();
        return t;
    }

    static void cancelInStream(Connection c) throws Exception {
        for (int delay = 0; delay < 300; delay += 30) {
            try (Statement s = c.createStatement()) {
                s.setFetchSize(20000);
                Thread t = later(s, delay);
                try (ResultSet r = s.executeQuery("select a.n, b.s from conf_numbers a, conf_numbers b where a.n < 100")) {
                    while (r.next()) {
                        r.getInt(1);
                    }
                } catch (SQLException e) {
                    same("code", e.getErrorCode(), 1013);
                }
                t.join();
            }
            try {
                logon(c); // a cancel that came too late is answered here
            } catch (SQLException e) {
                same("code", e.getErrorCode(), 1013);
            }
            logon(c);
        }
    }

    static void sessions(Connection c) throws Exception {
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failed = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 8; i++) {
            Thread t = new Thread(() -> {
                try (Connection own = connect()) {
                    same("rows", rows(own, "select n, s from conf_numbers").size(), 1000);
                } catch (Throwable e) {
                    failed.add(e);
                }
            });
            t.start();
            threads.add(t);
        }
        for (Thread t : threads) {
            t.join();
        }
        same("failures", failed, List.of());
    }

    static void killed(Connection c) throws Exception {
        for (String how : new String[] {"close", "reset"}) {
            try (Connection victim = connect()) {
                fails(() -> rows(victim, "select n from conf_numbers /* conformance " + how + " */"));
            }
        }
        logon(c);
    }

    static void tls(Connection c) throws Exception {
        Properties p = new Properties();
        p.put("javax.net.ssl.trustStore", trustStore);
        p.put("javax.net.ssl.trustStoreType", "PKCS12");
        p.put("javax.net.ssl.trustStorePassword", "changeit");
        p.put("oracle.net.ssl_server_dn_match", "false");
        try (Connection secure = connect(tls, user, password, p)) {
            same("rows", rows(secure, "select n, s from conf_numbers").size(), 1000);
        }
    }

    public static void main(String[] args) {
        dsn = args[0];
        user = args[1];
        password = args[2];
        tls = args[3];
        trustStore = args[4];
        for (int i = 0; i < BYTES.length; i++) {
            BYTES[i] = (byte) (i * 7 >> 3);
        }
        check("log-on", Conformance::logon);
        check("log-on refused", Conformance::logonRefused);
        check("unknown service", Conformance::unknownService);
        check("session attributes", Conformance::attributes);
        check("ALTER SESSION", Conformance::alterSession);
        check("describe", Conformance::describe);
        check("column types", Conformance::types);
        check("NULLs", Conformance::nulls);
        check("LOB columns", Conformance::lobs);
        check("temporary LOBs", Conformance::temporaryLobs);
        check("scalar binds", Conformance::binds);
        check("named binds", Conformance::namedBinds);
        check("array binds", Conformance::arrayBinds);
        check("PL/SQL binds", Conformance::blocks);
        check("ref cursors", Conformance::refCursors);
        check("RETURNING", Conformance::returning);
        check("batch errors", Conformance::batchErrors);
        check("re-execution", Conformance::again);
        check("fetches", Conformance::fetches);
        check("errors", Conformance::errors);
        check("transactions", Conformance::transactions);
        check("ping and log-off", Conformance::ping);
        check("cancel", Conformance::cancel);
        check("cancel in the stream", Conformance::cancelInStream);
        check("several sessions", Conformance::sessions);
        check("connection lost in a fetch", Conformance::killed);
        check("TLS", Conformance::tls);
    }
}
