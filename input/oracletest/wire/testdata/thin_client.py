"""Checks the stand-in's wire with python-oracledb in thin mode. Run by TestPythonThinClient."""
import datetime
import sys

import oracledb

dsn, user, password = sys.argv[1:4]


def check(name, got, want):
    if got != want:
        sys.exit(f"{name}: got {got!r}, want {want!r}")


def check_error(name, code, work):
    try:
        work()
    except oracledb.Error as e:
        check(name, e.args[0].code, code)
        return
    sys.exit(f"{name}: no error")


check_error("wrong password", 1017, lambda: oracledb.connect(user=user, password="x", dsn=dsn))
check_error("unknown user", 1017, lambda: oracledb.connect(user="nobody", password=password, dsn=dsn))

c = oracledb.connect(user=user, password=password, dsn=dsn)
check("version", c.version.split(".")[0], "19")
c.ping()
cur = c.cursor()
for n in 0, 1, 2, 3, 100, 101, 1000:
    for arraysize in 1, 3, 100:
        for prefetch in 0, 1, 2, 100:
            cur.arraysize, cur.prefetchrows = arraysize, prefetch
            cur.execute(f"select {n}")
            check(f"{n} rows by {arraysize}, {prefetch}", cur.fetchall(), [(i, f"row {i}") for i in range(n)])

cur.execute("select types")
check("names", [d[0] for d in cur.description], ["N", "D", "S", "NS", "C", "DT", "TS", "TZ", "R", "BD", "BF", "RI", "NUL"])
check("precision", cur.description[1][4:6], (10, 2))
check("types", cur.fetchall(), [(
    -1234567, 0.25, "Grüße 🌍", "Grüße 🌍", "ab   ", datetime.datetime(2024, 2, 29, 12, 34, 56),
    datetime.datetime(2024, 2, 29, 12, 34, 56, 123456), datetime.datetime(2024, 2, 29, 12, 34, 56, 123456),
    b"\x00\xff", -1.5, 0.5, "AAASdqAAEAAAAInAAB", None)] * 2)

cur.execute("select days")
day = datetime.timedelta(days=1, hours=2, minutes=3, seconds=4, milliseconds=500)
check("intervals", cur.fetchall(), [(day,), (-day,)])

large_text = "Grüße, 世界 🌍. " * 6000
large_bytes = bytes((i * 7 >> 3) & 0xFF for i in range(200003))
lob_rows = [
    (1, "short ü", "national ü🌍", b"\x00\x01\xff", "after"),
    (2, None, None, None, None),
    (3, large_text, large_text, large_bytes, "after"),
    (4, large_text, "x", b"\x07", "after"),
]


def contents(rows):
    return [tuple(v.read() if isinstance(v, oracledb.LOB) else v for v in row) for row in rows]


for lobs in True, False:
    oracledb.defaults.fetch_lobs = lobs
    for arraysize in 1, 100:
        for again in range(2):
            cur = c.cursor()
            cur.arraysize = arraysize
            cur.execute("select lobs")
            rows = cur.fetchall()
            check(f"LOBs {lobs} by {arraysize}", contents(rows) == lob_rows, True)
            if lobs:
                check("length", rows[2][1].size(), len(large_text.encode("utf-16-le")) // 2)
                check("part", rows[2][1].read(3, 5), large_text[2:7])
                check("part", rows[2][3].read(1001, 1000), large_bytes[1000:2000])
oracledb.defaults.fetch_lobs = True

edited = (large_text[:2] + "🌍" + large_text[4:]).encode("utf-16-le")[:100000].decode("utf-16-le")
clob = c.createlob(oracledb.DB_TYPE_CLOB)
clob.write(large_text[:2] + "🌍")
clob.write(edited[3:], 5)
nclob, blob = c.createlob(oracledb.DB_TYPE_NCLOB), c.createlob(oracledb.DB_TYPE_BLOB)
nclob.write(large_text)
blob.open()
check("open", blob.isopen(), True)
blob.write(large_bytes + b"to be cut off")
blob.trim(len(large_bytes))
blob.close()
check("chunk", blob.getchunksize() > 0, True)
for _ in range(3):
    cur.execute("insert lobs values (:1, :2, :3)", [clob, nclob, blob])
    check("temporary LOBs", cur.rowcount, 1)
cur.setinputsizes(oracledb.DB_TYPE_CLOB, oracledb.DB_TYPE_NCLOB, oracledb.DB_TYPE_BLOB)
cur.execute("insert lobs values (:1, :2, :3)", [large_text, large_text, large_bytes])
del clob, nclob, blob
cur = c.cursor()
a, b, both = cur.var(oracledb.DB_TYPE_CLOB), cur.var(oracledb.DB_TYPE_BLOB), cur.var(oracledb.DB_TYPE_CLOB)
value = c.createlob(oracledb.DB_TYPE_CLOB)
value.write("both ways")
both.setvalue(0, value)
cur.execute("begin lobs(:1, :2, :3); end;", [a, b, both])
check("LOBs out", [v.getvalue().read() for v in (a, b, both)] == [large_text, large_bytes, "both ways!"], True)

for i in range(2):
    cur = c.cursor()
    a, b, n = cur.var(oracledb.DB_TYPE_CURSOR), cur.var(oracledb.DB_TYPE_CURSOR), cur.var(int)
    cur.execute("begin cursors(:1, :2, :3); end;", [a, b, n])
    check("number", n.getvalue(), 7)
    first, second = a.getvalue(), b.getvalue()
    check("first row", first.fetchone(), (0, "row 0"))
    check("LOBs of a cursor", contents(second.fetchall()) == lob_rows, True)
    check("last row", first.fetchall()[-1], (299, "row 299"))

cur = c.cursor()
ids, names = cur.var(int), cur.var(str)
for i in range(3):
    cur.execute("insert into t (a) values (:1) returning id, name into :2, :3", [i, ids, names])
    check("returned", (ids.getvalue(), names.getvalue(), cur.rowcount), ([10 * i, 10 * i + 1], ["row 0", "row 1"], 2))
cur = c.cursor()
ids, names = cur.var(int, arraysize=2), cur.var(str, arraysize=2)
cur.setinputsizes(int, ids, names)
cur.executemany("insert into t (a) values (:1) returning id, name into :2, :3", [[1], [2]])
check("returned", [ids.getvalue(i) for i in range(2)], [[10, 11], [20, 21]])
cur = c.cursor()
cur.executemany("insert into odd values (:1)", [[i] for i in range(10)], batcherrors=True, arraydmlrowcounts=True)
check("batch errors", [(e.offset, e.code) for e in cur.getbatcherrors()], [(2, 1), (5, 1), (8, 1)])
check("row counts", cur.getarraydmlrowcounts(), [1, 1, 0, 1, 1, 0, 1, 1, 0, 1])
check_error("no batch errors", 1, lambda: cur.executemany("insert into odd values (:1)", [[1], [2], [3]]))
cur = c.cursor()
doubled = cur.arrayvar(int, 10)
cur.execute("begin arrays(:1, :2); end;", [cur.arrayvar(int, [1, 2, 3]), doubled])
check("arrays", doubled.getvalue(), [2, 4, 6])
c.module, c.action, c.client_identifier, c.clientinfo, c.dbop = "my module", "my action", "my id", "my info", "my operation"
c.ping()

cur = c.cursor()
big = "ä" * 10000
cur.execute("select echo from dual where :a = :b", a=big, b=5)
check("binds", cur.fetchall(), [(big, 5)])
cur.execute("select echo from dual where :a = :b", a=None, b=-7)
check("binds again", cur.fetchall(), [(None, -7)])

cur.executemany("insert into t values (:1, :2)", [(i, "x" * i) for i in range(300)])
check("array binds", cur.rowcount, 300)
c.commit()
c.rollback()

out, both = cur.var(int), cur.var(str)
for i in range(3):
    both.setvalue(0, "hello")
    cur.execute("begin block(:1, :2, :3); end;", [i, out, both])
    check("out", (out.getvalue(), both.getvalue()), (2 * i, "hello!"))

check_error("parse error", 942, lambda: cur.execute("select nowhere"))
cur.execute("select late")
check_error("error in a fetch", 1555, cur.fetchall)

c.current_schema = "SALES"
c.ping()

c.call_timeout = 200
try:
    cur.execute("begin wait; end;")
    sys.exit("time-out: no error")
except oracledb.Error as e:
    check("time-out", e.args[0].full_code, "DPY-4024")
c.call_timeout = 0
cur.execute("select 3")
check("after the time-out", len(cur.fetchall()), 3)
c.close()
print("ok")
