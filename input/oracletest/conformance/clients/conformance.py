"""The list of behaviours with python-oracledb in thin mode. Run by TestConformance.

Arguments: connect string, user, password, connect string of the TLS listener, folder of its certificate.
Every check prints a line of JSON; package conformance says what the lines mean.
"""
import datetime
import json
import sys
import threading
import time

import oracledb

dsn, user, password, tls_dsn, wallet = sys.argv[1:6]


class Inapplicable(Exception):
    pass


def same(name, got, want):
    if got != want:
        raise AssertionError(f"{name}: got {got!r:.200}, want {want!r:.200}")


def fails(work, *codes):
    try:
        work()
    except oracledb.Error as e:
        error = e.args[0]
        if codes and error.code not in codes and getattr(error, "full_code", "") not in codes:
            raise AssertionError(f"error {error.message!r}, want {codes}") from e
        return error
    raise AssertionError(f"no error, want {codes}")


def connect(**options):
    return oracledb.connect(**{"user": user, "password": password, "dsn": dsn, **options})


def check(name, work):
    line = {"check": name, "outcome": "ok"}
    try:
        c = connect()
        try:
            work(c)
        finally:
            try:
                c.close()
            except oracledb.Error:
                pass  # the check closed it, or it was lost
    except Inapplicable as e:
        line.update(outcome="inapplicable", note=str(e))
    except Exception as e:  # noqa: BLE001 - the outcome of a check is whatever it ends with
        line.update(outcome="failed", note=f"{type(e).__name__}: {e}".splitlines()[0][:300])
    print(json.dumps(line), flush=True)


def query(c, sql, *args, **named):
    cursor = c.cursor()
    cursor.execute(sql, *args, **named)
    return cursor.fetchall()


def logon(c):
    same("user", query(c, "select user from dual"), [(user.upper(),)])


def logon_refused(c):
    fails(lambda: connect(password="wrong"), 1017)
    fails(lambda: connect(user="nobody"), 1017)


def unknown_service(c):
    error = fails(lambda: connect(dsn=dsn.rsplit("/", 1)[0] + "/NOWHERE"))
    same("says so", any(code in error.message for code in ("ORA-12514", "DPY-6001")), True)


def attributes(c):
    same("version", c.version.split(".")[0] in ("19", "23"), True)
    same("session", query(c, "select sys_context('USERENV', 'SID') from dual")[0][0].isdigit(), True)
    c.module, c.action, c.client_identifier = "a module", "an action", "an id"
    same("labels", query(c, "select sys_context('USERENV', 'MODULE'), sys_context('USERENV', 'ACTION'), "
                            "sys_context('USERENV', 'CLIENT_IDENTIFIER') from dual"), [("a module", "an action", "an id")])


def alter_session(c):
    c.cursor().execute("alter session set nls_date_format = 'YYYY/DD/MM'")
    same("date", query(c, "select to_char(date '2024-02-29') from dual"), [("2024/29/02",)])


def describe(c):
    cursor = c.cursor()
    cursor.execute("select n38, neg, sc, v, dt from conf_types")
    same("columns", [d[0] for d in cursor.description], ["N38", "NEG", "SC", "V", "DT"])
    same("precision and scale", [tuple(d[4:6]) for d in cursor.description[:3]], [(38, 0), (5, -2), (10, 2)])
    same("size", cursor.description[3][2], 100)


def types(c):
    cursor = c.cursor()
    cursor.outputtypehandler = lambda cur, *d: cur.var(str, 255, cur.arraysize) if (d[0].name if len(d) == 1 else d[0]) == "N38" else None
    cursor.execute("select n, n38, neg, sc, v, nv, ch, dt, ts, tz, r, bd, bf from conf_types where id = 1")
    when = datetime.datetime(2024, 2, 29, 12, 34, 56)
    same("values", cursor.fetchall(), [(
        -1234567, "9" * 38, 1234500, -0.05, "Grüße 🌍", "Grüße 🌍", "ab   ", when, when.replace(microsecond=123456),
        when.replace(microsecond=123456), b"\x00\x01\xfe\xff", -1.5, 0.5)])
    rowid = query(c, "select rowid from conf_types where id = 1")[0][0]
    same("row by its ROWID", query(c, "select id from conf_types where rowid = :1", [rowid]), [(1,)])


def nulls(c):
    same("values", query(c, "select n, n38, neg, sc, v, nv, ch, dt, ts, tz, r, bd, bf from conf_types where id = 2"), [(None,) * 13])


LARGE = "Grüße, 世界 🌍. " * 6000
BYTES = bytes((i * 7 >> 3) & 0xFF for i in range(200003))


def lobs(c):
    cursor = c.cursor()
    cursor.execute("create table conf_lobs (id number primary key, c clob, nc nclob, b blob)")
    cursor.setinputsizes(None, oracledb.DB_TYPE_CLOB, oracledb.DB_TYPE_NCLOB, oracledb.DB_TYPE_BLOB)
    for row in (1, LARGE, LARGE, BYTES), (2, None, None, None), (3, "x", "y", b"z"):
        cursor.execute("insert into conf_lobs values (:1, :2, :3, :4)", row)
    clob, blob = c.createlob(oracledb.DB_TYPE_CLOB), c.createlob(oracledb.DB_TYPE_BLOB)
    clob.write(LARGE)
    blob.write(BYTES)
    cursor.execute("insert into conf_lobs values (:1, :2, :3, :4)", [4, clob, clob, blob])
    want = [(LARGE, LARGE, BYTES), (None, None, None), ("x", "y", b"z"), (LARGE, LARGE, BYTES)]
    for through_locators in True, False:
        oracledb.defaults.fetch_lobs = through_locators
        # another text each time: 1.2.1 keeps for a statement it has in its cache how it fetched before
        rows = query(c, f"select c, nc, b from conf_lobs order by id -- {through_locators}")
        same("rows", [tuple(v.read() if through_locators and v else v for v in row) for row in rows] == want, True)
    oracledb.defaults.fetch_lobs = True


def temporary_lobs(c):
    for kind, content in (oracledb.DB_TYPE_CLOB, LARGE), (oracledb.DB_TYPE_NCLOB, LARGE), (oracledb.DB_TYPE_BLOB, BYTES):
        lob = c.createlob(kind)
        same("empty", lob.size(), 0)
        lob.write(content)
        same("content", lob.read() == content, True)
        lob.trim(10)
        same("trimmed", lob.size(), 10)


def binds(c):
    when = datetime.datetime(2021, 3, 4, 5, 6, 7)
    for values in (42, "Grüße 🌍", b"\x01\x02", when, 1.5), (None, None, None, None, None), (-10 ** 30, "x" * 4000, b"y" * 2000, when, 0):
        cursor = c.cursor()
        cursor.setinputsizes(None, None, oracledb.DB_TYPE_RAW, oracledb.DB_TYPE_DATE, None)
        got = cursor.execute("select :1, :2, :3, :4, :5 from dual", values).fetchall()
        same("values", got, [values])


def named_binds(c):
    same("rows", query(c, "select :b || :a, :b from dual", a="1", b="2"), [("21", "2")])


def array_binds(c):
    cursor = c.cursor()
    cursor.executemany("insert into conf_target values (:1, :2)", [(i, "x" * i) for i in range(300)])
    same("rows", cursor.rowcount, 300)
    same("sums", query(c, "select count(*), sum(n), sum(length(s)) from conf_target"), [(300, 44850, 44850)])


def blocks(c):
    cursor = c.cursor()
    out, both = cursor.var(int), cursor.var(str)
    for i in range(3):
        both.setvalue(0, "hello")
        cursor.execute("begin :2 := :1 * 2; :3 := :3 || '!'; end;", {"1": i, "2": out, "3": both})
        same("out", (out.getvalue(), both.getvalue()), (2 * i, "hello!"))


def ref_cursors(c):
    cursor = c.cursor()
    out = cursor.var(oracledb.DB_TYPE_CURSOR)
    cursor.execute("begin open :1 for select n, s from conf_numbers order by n; end;", [out])
    rows = out.getvalue().fetchall()
    same("rows", (len(rows), rows[-1]), (1000, (999, "row 999")))


def returning(c):
    cursor = c.cursor()
    out = cursor.var(int)
    cursor.execute("insert into conf_target values (7, 'seven') returning n * 2 into :1", [out])
    same("value", out.getvalue(), [14])


def batch_errors(c):
    cursor = c.cursor()
    cursor.executemany("insert into conf_numbers (n) values (:1)", [[2000], [5], [2001], [6]], batcherrors=True)
    same("errors", [(e.offset, e.code) for e in cursor.getbatcherrors()], [(1, 1), (3, 1)])
    same("rows", query(c, "select count(*) from conf_numbers where n >= 2000"), [(2,)])


def again(c):
    cursor = c.cursor()
    for n in 5, 0, 10, 35, 1:
        cursor.execute("select n from conf_numbers where n < :1 order by n", [n])
        same("rows", cursor.fetchall(), [(i,) for i in range(n)])


def fetches(c):
    for n in 0, 1, 2, 3, 100, 101, 1000:
        for arraysize in 1, 3, 100:
            for prefetch in 0, 1, 2, 100:
                cursor = c.cursor()
                cursor.arraysize, cursor.prefetchrows = arraysize, prefetch
                cursor.execute("select n, s from conf_numbers where n < :1 order by n", [n])
                same(f"{n} rows by {arraysize} and {prefetch}", cursor.fetchall(), [(i, f"row {i}") for i in range(n)])


def errors(c):
    fails(lambda: query(c, "select * from nowhere"), 942)
    error = fails(lambda: c.cursor().execute("begin execute immediate 'select * from nowhere'; end;"), 942)
    same("stack", "ORA-06512" in error.message, True)
    cursor = c.cursor()
    cursor.arraysize = 10
    fails(lambda: cursor.execute("select 1 / (500 - n) from conf_numbers").fetchall(), 1476)
    logon(c)


def transactions(c):
    cursor = c.cursor()
    cursor.execute("insert into conf_target values (1000, 'rolled back')")
    c.rollback()
    cursor.execute("insert into conf_target values (1001, 'committed')")
    c.commit()
    c.autocommit = True
    cursor.execute("insert into conf_target values (1002, 'by itself')")
    with connect() as other:
        same("seen", query(other, "select n from conf_target where n >= 1000 order by n"), [(1001,), (1002,)])


def ping(c):
    for _ in range(3):
        c.ping()
    c.close()
    fails(c.ping)


def cancel(c):
    c.call_timeout = 300
    fails(lambda: c.cursor().execute("begin dbms_session.sleep(60); end;"), "DPY-4024", 1013)
    c.call_timeout = 0
    logon(c)
    timer = threading.Timer(0.3, c.cancel)
    timer.start()
    fails(lambda: c.cursor().execute("begin dbms_session.sleep(60); end;"), 1013)
    timer.join()
    logon(c)


def cancel_in_stream(c):
    if int(oracledb.__version__.split(".")[0]) < 2:
        raise Inapplicable("it reads a marker in the middle of an answer as data")
    for delay in range(0, 60, 4):
        cursor = c.cursor()
        cursor.arraysize = 100000
        timer = threading.Timer(delay / 1000, c.cancel)
        timer.start()
        try:
            cursor.execute("select a.n, b.s from conf_numbers a, conf_numbers b where a.n < 100").fetchall()
        except oracledb.Error as e:
            same("code", e.args[0].code, 1013)
        timer.join()
        try:
            logon(c)  # a cancel that came too late is answered here
        except oracledb.Error as e:
            same("code", e.args[0].code, 1013)
        logon(c)


def sessions(c):
    failed = []

    def work():
        try:
            with connect() as own:
                same("rows", len(query(own, "select n, s from conf_numbers")), 1000)
        except Exception as e:  # noqa: BLE001 - told below
            failed.append(e)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    same("failures", failed, [])


def killed(c):
    for how in "close", "reset":
        victim = connect()
        cursor = victim.cursor()
        cursor.arraysize = 10
        fails(lambda: cursor.execute(f"select n from conf_numbers /* conformance {how} */").fetchall())
    logon(c)


def tls(c):
    with connect(dsn=tls_dsn, ssl_server_dn_match=False, wallet_location=wallet, wallet_password="") as secure:
        same("rows", len(query(secure, "select n, s from conf_numbers")), 1000)


for name, work in {
    "log-on": logon, "log-on refused": logon_refused, "unknown service": unknown_service, "session attributes": attributes,
    "ALTER SESSION": alter_session, "describe": describe, "column types": types, "NULLs": nulls, "LOB columns": lobs,
    "temporary LOBs": temporary_lobs, "scalar binds": binds, "named binds": named_binds, "array binds": array_binds,
    "PL/SQL binds": blocks, "ref cursors": ref_cursors, "RETURNING": returning, "batch errors": batch_errors,
    "re-execution": again, "fetches": fetches, "errors": errors, "transactions": transactions, "ping and log-off": ping,
    "cancel": cancel, "cancel in the stream": cancel_in_stream, "several sessions": sessions,
    "connection lost in a fetch": killed, "TLS": tls,
}.items():
    check(name, work)
