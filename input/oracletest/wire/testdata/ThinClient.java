import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
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
import java.util.Arrays;
import java.util.Properties;

/** Checks the stand-in's wire with Oracle's JDBC thin driver. Run by TestJDBCThinClient. */
public class ThinClient {
    static String url;
    static String user;
    static String password;

    interface Work {
        void run() throws Exception;
    }

    static void check(String name, Object got, Object want) {
        if (!(got == null ? want == null : got.equals(want))) {
            throw new AssertionError(name + ": got " + shown(got) + ", want " + shown(want));
        }
    }

    static String shown(Object o) {
        String s = String.valueOf(o);
        return s.length() < 200 ? s : s.substring(0, 100) + "... of " + s.length() + " characters";
    }

    static void fails(String name, int code, Work work) throws Exception {
        try {
            work.run();
        } catch (SQLException e) {
            check(name, e.getErrorCode(), code);
            return;
        }
        throw new AssertionError(name + ": no error");
    }

    static Connection open(String as, String with) throws SQLException {
        Properties p = new Properties();
        p.put("user", as);
        p.put("password", with);
        return DriverManager.getConnection(url, p);
    }

    static String largeText() {
        return "Grüße, 世界 🌍. ".repeat(6000);
    }

    static byte[] largeBytes() {
        byte[] b = new byte[200_003];
        for (int i = 0; i < b.length; i++) {
            b[i] = (byte) (i * 7 >> 3);
        }
        return b;
    }

    public static void main(String[] args) throws Exception {
        url = "jdbc:oracle:thin:@//" + args[0];
        user = args[1];
        password = args[2];
        fails("wrong password", 1017, () -> open(user, "x"));
        fails("unknown user", 1017, () -> open("nobody", password));
        try (Connection c = open(user, password)) {
            c.setAutoCommit(false);
            check("valid", c.isValid(5), true);
            check("version", c.getMetaData().getDatabaseMajorVersion(), 19);
            queries(c);
            types(c);
            binds(c);
            lobs(c);
            temporaryLobs(c);
            blocks(c);
            cursors(c);
            returning(c);
            batches(c);
            errors(c);
            cancel(c);
            c.commit();
            c.rollback();
        }
        System.out.println("ok");
    }

    static void queries(Connection c) throws Exception {
        for (int n : new int[] {0, 1, 2, 3, 100, 101, 1000}) {
            for (int size : new int[] {1, 3, 100}) {
                try (Statement s = c.createStatement()) {
                    s.setFetchSize(size);
                    int i = 0;
                    try (ResultSet r = s.executeQuery("select " + n)) {
                        for (; r.next(); i++) {
                            check("N", r.getInt(1), i);
                            check("S", r.getString("S"), "row " + i);
                        }
                    }
                    check("rows", i, n);
                }
            }
        }
        try (PreparedStatement s = c.prepareStatement("select 101")) {
            for (int i = 0; i < 3; i++) {
                int n = 0;
                try (ResultSet r = s.executeQuery()) {
                    while (r.next()) {
                        n++;
                    }
                }
                check("again", n, 101);
            }
        }
    }

    static void types(Connection c) throws Exception {
        try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("select types")) {
            ResultSetMetaData m = r.getMetaData();
            check("columns", m.getColumnCount(), 13);
            check("precision", m.getPrecision(2), 10);
            check("scale", m.getScale(2), 2);
            for (int i = 0; i < 2; i++) {
                check("next", r.next(), true);
                check("N", r.getLong(1), -1234567L);
                check("D", r.getBigDecimal(2), new BigDecimal("0.25"));
                check("S", r.getString(3), "Grüße 🌍");
                check("NS", r.getNString(4), "Grüße 🌍");
                check("C", r.getString(5), "ab   ");
                check("DT", r.getTimestamp(6), Timestamp.valueOf("2024-02-29 12:34:56"));
                check("TS", r.getTimestamp(7), Timestamp.valueOf("2024-02-29 12:34:56.123456"));
                check("TZ", r.getObject(8, java.time.OffsetDateTime.class).toString(), "2024-02-29T12:34:56.123456+02:00");
                check("R", Arrays.toString(r.getBytes(9)), "[0, -1]");
                check("BD", r.getDouble(10), -1.5);
                check("BF", r.getFloat(11), 0.5f);
                check("RI", new String(r.getBytes(12), StandardCharsets.US_ASCII), "AAASdqAAEAAAAInAAB");
                check("NUL", r.getString(13), null);
                check("null", r.wasNull(), true);
            }
            check("end", r.next(), false);
        }
        try (Statement s = c.createStatement(); ResultSet r = s.executeQuery("select intervals")) {
            for (String sign : new String[] {"", "-"}) {
                check("next", r.next(), true);
                check("YM", r.getString(1), sign + "1-2");
                check("DS", r.getString(2), sign + "1 2:3:4.5");
            }
            check("end", r.next(), false);
        }
    }

    static void binds(Connection c) throws Exception {
        String big = "ä".repeat(10000);
        try (PreparedStatement s = c.prepareStatement("select echo from dual where :a = :b")) {
            for (String a : new String[] {big, null, "x", "y".repeat(32767)}) {
                s.setString(1, a);
                s.setInt(2, -7);
                try (ResultSet r = s.executeQuery()) {
                    check("row", r.next(), true);
                    check("text", r.getString(1), a);
                    check("number", r.getInt(2), -7);
                }
            }
        }
    }

    static void lobs(Connection c) throws Exception {
        for (int prefetch : new int[] {0, 10, 32768, 1 << 20}) {
            try (Statement s = c.createStatement()) {
                ((oracle.jdbc.OracleStatement) s.unwrap(oracle.jdbc.OracleStatement.class)).setLobPrefetchSize(prefetch);
                for (int size : new int[] {1, 10}) {
                    s.setFetchSize(size);
                    try (ResultSet r = s.executeQuery("select lobs")) {
                        lobRows(r);
                    }
                }
            }
        }
    }

    static void lobRows(ResultSet r) throws Exception {
        String[] clobs = {"short ü", null, largeText(), largeText()};
        String[] nclobs = {"national ü🌍", null, largeText(), "x"};
        byte[][] blobs = {{0, 1, -1}, null, largeBytes(), {7}};
        for (int i = 0; i < 4; i++) {
            check("row", r.next(), true);
            check("N", r.getInt(1), i + 1);
            check("as text", r.getString(2), clobs[i]);
            check("as national text", r.getString(3), nclobs[i]);
            check("as bytes", Arrays.toString(r.getBytes(4)), Arrays.toString(blobs[i]));
            check("after", r.getString(5), clobs[i] == null ? null : "after");
            Clob l = r.getClob(2);
            if (clobs[i] == null) {
                check("null", l, null);
                continue;
            }
            check("length", l.length(), (long) clobs[i].length());
            check("part", l.getSubString(3, 5), clobs[i].substring(2, 7));
            try (Reader in = l.getCharacterStream()) {
                StringBuilder all = new StringBuilder();
                char[] buffer = new char[1000];
                for (int n; (n = in.read(buffer)) > 0;) {
                    all.append(buffer, 0, n);
                }
                check("stream", all.toString(), clobs[i]);
            }
            Blob b = r.getBlob(4);
            check("length", b.length(), (long) blobs[i].length);
            try (InputStream in = b.getBinaryStream()) {
                check("stream", Arrays.equals(in.readAllBytes(), blobs[i]), true);
            }
        }
        check("end", r.next(), false);
    }

    static void temporaryLobs(Connection c) throws Exception {
        Clob k = c.createClob();
        check("empty", k.length(), 0L);
        k.setString(1, largeText());
        k.setString(3, "🌍");
        k.truncate(50000);
        NClob n = c.createNClob();
        try (Writer w = n.setCharacterStream(1)) {
            w.write(largeText());
        }
        Blob b = c.createBlob();
        try (OutputStream out = b.setBinaryStream(1)) {
            out.write(largeBytes());
        }
        try (PreparedStatement s = c.prepareStatement("insert lobs values (:1, :2, :3)")) {
            s.setClob(1, k);
            s.setNClob(2, n);
            s.setBlob(3, b);
            check("rows", s.executeUpdate(), 1);
        }
        k.free();
        n.free();
        b.free();
        try (PreparedStatement s = c.prepareStatement("insert lobs values (:1, :2, :3)")) {
            s.setCharacterStream(1, new java.io.StringReader(largeText()), largeText().length());
            s.setNString(2, largeText());
            s.setBinaryStream(3, new java.io.ByteArrayInputStream(largeBytes()), largeBytes().length);
            check("rows", s.executeUpdate(), 1);
        }
    }

    static void blocks(Connection c) throws Exception {
        try (CallableStatement s = c.prepareCall("begin block(:1, :2, :3); end;")) {
            for (int i = 0; i < 3; i++) {
                s.setInt(1, i);
                s.registerOutParameter(2, Types.NUMERIC);
                s.setString(3, "hello");
                s.registerOutParameter(3, Types.VARCHAR);
                s.execute();
                check("out", s.getInt(2), 2 * i);
                check("both", s.getString(3), "hello!");
            }
        }
        try (CallableStatement s = c.prepareCall("begin lobs(:1, :2, :3); end;")) {
            s.registerOutParameter(1, Types.CLOB);
            s.registerOutParameter(2, Types.BLOB);
            Clob in = c.createClob();
            in.setString(1, "both ways");
            s.setClob(3, in);
            s.registerOutParameter(3, Types.CLOB);
            s.execute();
            check("clob", s.getString(1), largeText());
            check("blob", Arrays.equals(s.getBytes(2), largeBytes()), true);
            check("both", s.getString(3), "both ways!");
        }
    }

    static void cursors(Connection c) throws Exception {
        try (CallableStatement s = c.prepareCall("begin cursors(:1, :2, :3); end;")) {
            for (int i = 0; i < 2; i++) {
                s.registerOutParameter(1, oracle.jdbc.OracleTypes.CURSOR);
                s.registerOutParameter(2, oracle.jdbc.OracleTypes.CURSOR);
                s.registerOutParameter(3, Types.NUMERIC);
                s.execute();
                check("number", s.getInt(3), 7);
                try (ResultSet r = (ResultSet) s.getObject(1)) {
                    int n = 0;
                    for (; r.next(); n++) {
                        check("row", r.getString(2), "row " + n);
                    }
                    check("rows", n, 300);
                }
                try (ResultSet r = (ResultSet) s.getObject(2)) {
                    lobRows(r);
                }
            }
        }
    }

    static void returning(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("insert into t (a) values (:1) returning id, name into :2, :3")) {
            var o = s.unwrap(oracle.jdbc.OraclePreparedStatement.class);
            for (int i = 0; i < 3; i++) {
                o.setInt(1, i);
                o.registerReturnParameter(2, Types.NUMERIC);
                o.registerReturnParameter(3, Types.VARCHAR);
                check("rows", o.executeUpdate(), 2);
                try (ResultSet r = o.getReturnResultSet()) {
                    for (int j = 0; j < 2; j++) {
                        check("row", r.next(), true);
                        check("id", r.getInt(1), 10 * i + j);
                        check("name", r.getString(2), "row " + j);
                    }
                    check("end", r.next(), false);
                }
            }
        }
    }

    static void batches(Connection c) throws Exception {
        try (PreparedStatement s = c.prepareStatement("insert into t values (:1, :2)")) {
            for (int i = 0; i < 300; i++) {
                s.setInt(1, i);
                s.setString(2, "x".repeat(i));
                s.addBatch();
            }
            int[] counts = s.executeBatch();
            check("batch", counts.length, 300);
            for (int n : counts) {
                check("count", n == 1 || n == Statement.SUCCESS_NO_INFO, true);
            }
        }
        try (PreparedStatement s = c.prepareStatement("insert into odd values (:1)")) {
            for (int i = 0; i < 10; i++) {
                s.setInt(1, i);
                s.addBatch();
            }
            try {
                s.executeBatch();
                throw new AssertionError("batch without its error");
            } catch (BatchUpdateException e) {
                check("batch error", e.getErrorCode(), 1);
            }
        }
    }

    static void errors(Connection c) throws Exception {
        try (Statement s = c.createStatement()) {
            fails("parse error", 942, () -> s.executeQuery("select nowhere"));
            fails("error in a fetch", 1555, () -> {
                try (ResultSet r = s.executeQuery("select late")) {
                    while (r.next()) {
                        r.getInt(1);
                    }
                }
            });
            try (ResultSet r = s.executeQuery("select 3")) {
                check("goes on", r.next(), true);
            }
        }
    }

    static void cancel(Connection c) throws Exception {
        try (Statement s = c.createStatement()) {
            s.setQueryTimeout(1);
            fails("time-out", 1013, () -> s.execute("begin wait; end;"));
            s.setQueryTimeout(0);
            Thread t = new Thread(() -> {
                try {
                    Thread.sleep(1000);
                    s.cancel();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            t.start();
            fails("cancel", 1013, () -> s.execute("begin wait; end;"));
            t.join();
            try (ResultSet r = s.executeQuery("select 3")) {
                check("goes on", r.next(), true);
            }
        }
        c.setSchema("SALES");
        c.setClientInfo("OCSID.MODULE", "my module");
        c.setClientInfo("OCSID.ACTION", "my action");
        c.setClientInfo("OCSID.CLIENTID", "my id");
        c.isValid(5);
    }
}
