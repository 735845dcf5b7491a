// The list of behaviours with node-oracledb in thin mode. Run by TestConformance.
//
// Arguments: connect string, user, password, connect string of the TLS listener, folder of its certificate.
// Every check prints a line of JSON; package conformance says what the lines mean.
import assert from 'node:assert';
import { createRequire } from 'node:module';

const oracledb = createRequire(process.env.ORACLETEST_MODULES + '/')('oracledb');
const [connectString, user, password, tlsConnectString, walletLocation] = process.argv.slice(2);

const connect = (options) => oracledb.getConnection({ user, password, connectString, ...options });
const rows = async (c, sql, binds = [], options = {}) => (await c.execute(sql, binds, options)).rows;
const same = assert.deepStrictEqual;

async function fails(work, ...codes) {
  let error;
  try {
    await work();
  } catch (e) {
    error = e;
  }
  assert.ok(error, `no error, want ${codes}`);
  assert.ok(codes.length === 0 || codes.includes(error.errorNum) || codes.includes(error.code), `${error.message}, want ${codes}`);
  return error;
}

async function check(name, work) {
  const line = { check: name, outcome: 'ok' };
  let c;
  try {
    c = await connect();
    await work(c);
  } catch (e) {
    line.outcome = 'failed';
    line.note = String(e.message).split('\n').slice(0, 3).join(' ').slice(0, 300);
  }
  try {
    await c?.close();
  } catch { /* a check may have closed it */ }
  console.log(JSON.stringify(line));
}

const logon = async (c) => same(await rows(c, 'select user from dual'), [[user.toUpperCase()]]);
const large = 'Grüße, 世界 🌍. '.repeat(6000);
const bytes = Buffer.from(Array.from({ length: 200003 }, (_, i) => ((i * 7) >> 3) & 0xFF));
const types = 'n, n38, neg, sc, v, nv, ch, dt, ts, tz, r, bd, bf';

const checks = {
  'log-on': logon,
  'log-on refused': async () => {
    await fails(() => connect({ password: 'wrong' }), 1017);
    await fails(() => connect({ user: 'nobody' }), 1017);
  },
  'unknown service': async () => {
    await fails(() => connect({ connectString: connectString.replace(/\/[^/]*$/, '/NOWHERE') }), 12514, 'NJS-518');
  },
  'session attributes': async (c) => {
    assert.ok(['19', '23'].includes(c.oracleServerVersionString.split('.')[0]), c.oracleServerVersionString);
    assert.match((await rows(c, "select sys_context('USERENV', 'SID') from dual"))[0][0], /^\d+$/);
    c.module = 'a module';
    c.action = 'an action';
    c.clientId = 'an id';
    same(await rows(c, "select sys_context('USERENV', 'MODULE'), sys_context('USERENV', 'ACTION'), " +
      "sys_context('USERENV', 'CLIENT_IDENTIFIER') from dual"), [['a module', 'an action', 'an id']]);
  },
  'ALTER SESSION': async (c) => {
    await c.execute("alter session set nls_date_format = 'YYYY/DD/MM'");
    same(await rows(c, "select to_char(date '2024-02-29') from dual"), [['2024/29/02']]);
  },
  'describe': async (c) => {
    const m = (await c.execute('select n38, neg, sc, v, dt from conf_types')).metaData;
    same(m.map((d) => d.name), ['N38', 'NEG', 'SC', 'V', 'DT']);
    same(m.slice(0, 3).map((d) => [d.precision, d.scale]), [[38, 0], [5, -2], [10, 2]]);
    same(m[3].byteSize, 100);
  },
  'column types': async (c) => {
    const fetchTypeHandler = (m) => m.name === 'N38' ? { type: oracledb.STRING } : undefined;
    const [row] = await rows(c, `select ${types} from conf_types where id = 1`, [], { fetchTypeHandler });
    same(row.slice(0, 7), [-1234567, '9'.repeat(38), 1234500, -0.05, 'Grüße 🌍', 'Grüße 🌍', 'ab   ']);
    same(row.slice(7, 9), [new Date(2024, 1, 29, 12, 34, 56), new Date(2024, 1, 29, 12, 34, 56, 123)]);
    same(row[9].toISOString(), '2024-02-29T10:34:56.123Z');
    same(row.slice(10), [Buffer.from([0, 1, 254, 255]), -1.5, 0.5]);
    const [[rowid]] = await rows(c, 'select rowid from conf_types where id = 1');
    same(await rows(c, 'select id from conf_types where rowid = :1', [rowid]), [[1]]);
  },
  'NULLs': async (c) => {
    same(await rows(c, `select ${types} from conf_types where id = 2`), [Array(13).fill(null)]);
  },
  'LOB columns': async (c) => {
    await c.execute('create table conf_lobs (id number primary key, c clob, nc nclob, b blob)');
    const insert = 'insert into conf_lobs values (:1, :2, :3, :4)';
    const want = [[large, large, bytes], [null, null, null], ['x', 'y', Buffer.from('z')]];
    for (const [i, [k, n, b]] of want.entries()) {
      await c.execute(insert, [i, { val: k, type: oracledb.CLOB }, { val: n, type: oracledb.DB_TYPE_NCLOB }, { val: b, type: oracledb.BLOB }]);
    }
    const got = await rows(c, 'select c, nc, b from conf_lobs order by id');
    for (const [i, row] of got.entries()) same(await Promise.all(row.map((v) => v && v.getData())), want[i]);
    const asValues = (m) => ({ type: m.dbType === oracledb.DB_TYPE_BLOB ? oracledb.BUFFER : oracledb.STRING });
    same(await rows(c, 'select c, nc, b from conf_lobs order by id -- as values', [], { fetchTypeHandler: asValues }), want);
  },
  'temporary LOBs': async (c) => {
    for (const [type, content] of [[oracledb.CLOB, large], [oracledb.BLOB, bytes]]) {
      const lob = await c.createLob(type);
      await new Promise((resolve, reject) => {
        lob.on('finish', resolve).on('error', reject);
        for (let at = 0; at < content.length; at += 8000) lob.write(content.slice(at, at + 8000));
        lob.end();
      });
      same(await lob.getData(), content);
      await lob.destroy();
    }
  },
  'scalar binds': async (c) => {
    const when = new Date(2021, 2, 4, 5, 6, 7);
    const kinds = [oracledb.NUMBER, oracledb.STRING, oracledb.BUFFER, oracledb.DATE, oracledb.NUMBER];
    for (const values of [[42, 'Grüße 🌍', Buffer.from([1, 2]), when, 1.5], [null, null, null, null, null],
      [-1e30, 'x'.repeat(4000), Buffer.alloc(2000, 'y'), when, 0]]) {
      same(await rows(c, 'select :1, :2, :3, :4, :5 from dual', values.map((val, i) => ({ val, type: kinds[i] }))), [values]);
    }
  },
  'named binds': async (c) => {
    same(await rows(c, 'select :b || :a, :b from dual', { a: '1', b: '2' }), [['21', '2']]);
  },
  'array binds': async (c) => {
    const r = await c.executeMany('insert into conf_target values (:1, :2)', Array.from({ length: 300 }, (_, i) => [i, 'x'.repeat(i)]));
    same(r.rowsAffected, 300);
    same(await rows(c, 'select count(*), sum(n), sum(length(s)) from conf_target'), [[300, 44850, 44850]]);
  },
  'PL/SQL binds': async (c) => {
    for (let i = 0; i < 3; i++) {
      const r = await c.execute("begin :b := :a * 2; :c := :c || '!'; end;", {
        a: i,
        b: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
        c: { dir: oracledb.BIND_INOUT, type: oracledb.STRING, val: 'hello', maxSize: 100 },
      });
      same(r.outBinds, { b: 2 * i, c: 'hello!' });
    }
  },
  'ref cursors': async (c) => {
    const r = await c.execute('begin open :1 for select n, s from conf_numbers order by n; end;',
      [{ dir: oracledb.BIND_OUT, type: oracledb.CURSOR }]);
    const got = await r.outBinds[0].getRows();
    same([got.length, got.at(-1)], [1000, [999, 'row 999']]);
  },
  'RETURNING': async (c) => {
    const r = await c.execute("insert into conf_target values (7, 'seven') returning n * 2 into :1",
      [{ dir: oracledb.BIND_OUT, type: oracledb.NUMBER }]);
    same(r.outBinds, [[14]]);
  },
  'batch errors': async (c) => {
    const r = await c.executeMany('insert into conf_numbers (n) values (:1)', [[2000], [5], [2001], [6]], { batchErrors: true });
    same(r.batchErrors.map((e) => [e.offset, e.message.split(':')[0]]), [[1, 'ORA-00001'], [3, 'ORA-00001']]);
    same(await rows(c, 'select count(*) from conf_numbers where n >= 2000'), [[2]]);
  },
  're-execution': async (c) => {
    for (const n of [5, 0, 10, 35, 1]) {
      same(await rows(c, 'select n from conf_numbers where n < :1 order by n', [n]), Array.from({ length: n }, (_, i) => [i]));
    }
  },
  'fetches': async (c) => {
    for (const n of [0, 1, 2, 3, 100, 101, 1000]) {
      for (const fetchArraySize of [1, 3, 100]) {
        for (const prefetchRows of [0, 1, 2, 100]) {
          same(await rows(c, 'select n, s from conf_numbers where n < :1 order by n', [n], { fetchArraySize, prefetchRows }),
            Array.from({ length: n }, (_, i) => [i, `row ${i}`]));
        }
      }
    }
  },
  'errors': async (c) => {
    await fails(() => c.execute('select * from nowhere'), 942);
    const e = await fails(() => c.execute("begin execute immediate 'select * from nowhere'; end;"), 942);
    assert.match(e.message, /ORA-06512/);
    await fails(() => c.execute('select 1 / (500 - n) from conf_numbers', [], { fetchArraySize: 10 }), 1476);
    await logon(c);
  },
  'transactions': async (c) => {
    await c.execute("insert into conf_target values (1000, 'rolled back')");
    await c.rollback();
    await c.execute("insert into conf_target values (1001, 'committed')");
    await c.commit();
    await c.execute("insert into conf_target values (1002, 'by itself')", [], { autoCommit: true });
    const other = await connect();
    same(await rows(other, 'select n from conf_target where n >= 1000 order by n'), [[1001], [1002]]);
    await other.close();
  },
  'ping and log-off': async (c) => {
    for (let i = 0; i < 3; i++) await c.ping();
    await c.close();
    await fails(() => c.ping());
  },
  'cancel': async (c) => {
    c.callTimeout = 300;
    await fails(() => c.execute('begin dbms_session.sleep(60); end;'), 'NJS-123', 1013);
    c.callTimeout = 0;
    await logon(c);
    const timer = new Promise((resolve) => setTimeout(() => c.break().then(resolve), 300));
    await fails(() => c.execute('begin dbms_session.sleep(60); end;'), 1013);
    await timer;
    await logon(c);
  },
  'cancel in the stream': async (c) => {
    for (let delay = 0; delay < 60; delay += 4) {
      const timer = new Promise((resolve) => setTimeout(() => c.break().then(resolve), delay));
      try {
        await c.execute('select a.n, b.s from conf_numbers a, conf_numbers b where a.n < 20', [], { fetchArraySize: 20000 });
      } catch (e) {
        same(e.errorNum, 1013);
      }
      await timer;
      try {
        await logon(c); // a cancel that came too late is answered here
      } catch (e) {
        same(e.errorNum, 1013);
      }
      await logon(c);
    }
  },
  'several sessions': async () => {
    await Promise.all(Array.from({ length: 8 }, async () => {
      const own = await connect();
      same((await rows(own, 'select n, s from conf_numbers')).length, 1000);
      await own.close();
    }));
  },
  'connection lost in a fetch': async (c) => {
    for (const how of ['close', 'reset']) {
      const victim = await connect();
      await fails(() => victim.execute(`select n from conf_numbers /* conformance ${how} */`, [], { fetchArraySize: 10 }));
    }
    await logon(c);
  },
  'TLS': async () => {
    const secure = await connect({ connectString: tlsConnectString, sslServerDNMatch: false, walletLocation, walletPassword: '' });
    same((await rows(secure, 'select n, s from conf_numbers')).length, 1000);
    await secure.close();
  },
};

for (const [name, work] of Object.entries(checks)) await check(name, work);
