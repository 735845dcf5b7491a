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
check_error("LOB column", 3001, lambda: cur.execute("select lob"))

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
