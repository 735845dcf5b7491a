// Checks the stand-in's wire with node-oracledb in thin mode. Run by TestNodeThinClient.
const assert = require('assert');
const oracledb = require('oracledb');

const [connectString, user, password] = process.argv.slice(2);

async function fails(code, work) {
  await assert.rejects(work, (e) => {
    assert.strictEqual(e.errorNum || e.code, code, e.message);
    return true;
  });
}

const largeText = 'Grüße, 世界 🌍. '.repeat(6000);
const largeBytes = Buffer.from(Array.from({ length: 200003 }, (_, i) => ((i * 7) >> 3) & 0xFF));

const lobRows = [
  [1, 'short ü', 'national ü🌍', Buffer.from([0, 1, 255]), 'after'],
  [2, null, null, null, null],
  [3, largeText, largeText, largeBytes, 'after'],
  [4, largeText, 'x', Buffer.from([7]), 'after'],
];

async function contents(row) {
  return Promise.all(row.map(async (v) => v instanceof oracledb.Lob ? v.getData() : v));
}

async function lobs(c) {
  const asText = (m) => {
    if (m.dbType === oracledb.DB_TYPE_CLOB || m.dbType === oracledb.DB_TYPE_NCLOB) return { type: oracledb.STRING };
    if (m.dbType === oracledb.DB_TYPE_BLOB) return { type: oracledb.BUFFER };
  };
  for (const fetchArraySize of [1, 100]) {
    for (let again = 0; again < 2; again++) {
      const r = await c.execute('select lobs', [], { fetchArraySize });
      for (const [i, row] of r.rows.entries()) assert.deepStrictEqual(await contents(row), lobRows[i]);
      assert.strictEqual(r.rows[2][1].length, largeText.length);
      assert.strictEqual(await r.rows[2][1].getData(3, 5), largeText.slice(2, 7));
      const pieces = [];
      for await (const piece of r.rows[2][3]) pieces.push(piece);
      assert.deepStrictEqual(Buffer.concat(pieces), largeBytes);
    }
    if (oracledb.version < 70000) continue; // 6.x ignores the handler for a statement it has in its cache
    const r = await c.execute('select lobs', [], { fetchArraySize, fetchTypeHandler: asText });
    assert.deepStrictEqual(r.rows, lobRows);
  }
}

async function temporaryLobs(c) {
  const edited = largeText.slice(0, 2) + '🌍' + largeText.slice(4);
  const clob = await c.createLob(oracledb.CLOB);
  await new Promise((resolve, reject) => {
    clob.on('finish', resolve);
    clob.on('error', reject);
    for (let at = 0; at < 50000; at += 1000) clob.write(edited.slice(at, at + 1000));
    clob.end();
  });
  const nclob = { val: largeText, type: oracledb.DB_TYPE_NCLOB };
  const blob = { val: largeBytes, type: oracledb.DB_TYPE_BLOB };
  for (let i = 0; i < 3; i++) {
    const r = await c.execute('insert lobs values (:1, :2, :3)', [{ val: clob, type: oracledb.CLOB }, nclob, blob]);
    assert.strictEqual(r.rowsAffected, 1);
  }
  await clob.destroy();
  const out = await c.execute('begin lobs(:1, :2, :3); end;', [
    { dir: oracledb.BIND_OUT, type: oracledb.CLOB },
    { dir: oracledb.BIND_OUT, type: oracledb.BLOB },
    { dir: oracledb.BIND_INOUT, type: oracledb.CLOB, val: 'both ways' }]);
  assert.deepStrictEqual(await contents(out.outBinds), [largeText, largeBytes, 'both ways!']);
  await Promise.all(out.outBinds.map((l) => l.destroy()));
}

async function cursors(c) {
  for (let i = 0; i < 2; i++) {
    const { outBinds: [a, b, n] } = await c.execute('begin cursors(:1, :2, :3); end;', [
      { dir: oracledb.BIND_OUT, type: oracledb.CURSOR },
      { dir: oracledb.BIND_OUT, type: oracledb.CURSOR },
      { dir: oracledb.BIND_OUT, type: oracledb.NUMBER }]);
    assert.strictEqual(n, 7);
    assert.strictEqual((await a.getRows(10)).length, 10);
    for (const want of lobRows) { // getRows() takes the two rows it prefetches for all
      assert.deepStrictEqual(await contents(await b.getRow()), want);
    }
    assert.ok(!await b.getRow());
    assert.deepStrictEqual((await a.getRows()).at(-1), [299, 'row 299']);
    await a.close();
    await b.close();
  }
}

async function dml(c) {
  const insert = 'insert into t (a) values (:1) returning id, name into :2, :3';
  const out = [{ dir: oracledb.BIND_OUT, type: oracledb.NUMBER }, { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 100 }];
  for (let i = 0; i < 3; i++) {
    const r = await c.execute(insert, [i, ...out]);
    assert.strictEqual(r.rowsAffected, 2);
    assert.deepStrictEqual(r.outBinds, [[10 * i, 10 * i + 1], ['row 0', 'row 1']]);
  }
  const many = await c.executeMany(insert, [[1], [2]].map((row) => [...row]), {
    bindDefs: [{ type: oracledb.NUMBER }, ...out],
  });
  assert.deepStrictEqual(many.outBinds, [[[10, 11], ['row 0', 'row 1']], [[20, 21], ['row 0', 'row 1']]]);
  const odd = await c.executeMany('insert into odd values (:1)', Array.from({ length: 10 }, (_, i) => [i]),
    { batchErrors: true, dmlRowCounts: true });
  assert.deepStrictEqual(odd.batchErrors.map((e) => [e.offset, e.message.split(':')[0]]),
    [[2, 'ORA-00001'], [5, 'ORA-00001'], [8, 'ORA-00001']]);
  assert.deepStrictEqual(odd.dmlRowCounts, [1, 1, 0, 1, 1, 0, 1, 1, 0, 1]);
  assert.strictEqual(odd.rowsAffected, 7);
  await fails(1, () => c.executeMany('insert into odd values (:1)', [[1], [2], [3]]));
  const arrays = await c.execute('begin arrays(:1, :2); end;', {
    1: { dir: oracledb.BIND_IN, type: oracledb.NUMBER, val: [1, 2, 3], maxArraySize: 3 },
    2: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER, maxArraySize: 10 },
  });
  assert.deepStrictEqual(Object.values(arrays.outBinds), [[2, 4, 6]]);
  c.module = 'my module';
  c.action = 'my action';
  c.clientId = 'my id';
  c.clientInfo = 'my info';
  c.dbOp = 'my operation';
  await c.ping();
}

async function main() {
  await fails(1017, () => oracledb.getConnection({ user, password: 'x', connectString }));
  await fails(1017, () => oracledb.getConnection({ user: 'nobody', password, connectString }));
  const c = await oracledb.getConnection({ user, password, connectString });
  await c.ping();
  for (const n of [0, 1, 2, 3, 100, 101, 1000]) {
    for (const fetchArraySize of [1, 3, 100]) {
      for (const prefetchRows of [0, 1, 2, 100]) {
        const r = await c.execute(`select ${n}`, [], { fetchArraySize, prefetchRows });
        assert.deepStrictEqual(r.rows, Array.from({ length: n }, (_, i) => [i, `row ${i}`]));
      }
    }
  }
  const t = await c.execute('select types');
  assert.strictEqual(t.metaData[1].precision, 10);
  assert.strictEqual(t.metaData[1].scale, 2);
  for (const row of t.rows) {
    assert.deepStrictEqual(row.slice(0, 5), [-1234567, 0.25, 'Grüße 🌍', 'Grüße 🌍', 'ab   ']);
    assert.strictEqual(row[7].toISOString(), '2024-02-29T10:34:56.123Z');
    assert.deepStrictEqual([...row[8]], [0, 255]);
    assert.deepStrictEqual(row.slice(9), [-1.5, 0.5, 'AAASdqAAEAAAAInAAB', null]);
  }
  const intervals = await c.execute('select intervals');
  assert.deepStrictEqual(intervals.rows.map(([ym, ds]) => [ym.years, ym.months, ds.days, ds.hours, ds.minutes, ds.seconds, ds.fseconds]),
    [[1, 2, 1, 2, 3, 4, 500000000], [-1, -2, -1, -2, -3, -4, -500000000]]);
  await lobs(c);
  await temporaryLobs(c);
  await cursors(c);
  await dml(c);
  const big = 'ä'.repeat(10000);
  for (const a of [big, null, 'x']) {
    const r = await c.execute('select echo from dual where :a = :b', { a, b: 5 });
    assert.deepStrictEqual(r.rows, [[a, 5]]);
  }
  const many = await c.executeMany('insert into t values (:1, :2)',
    Array.from({ length: 300 }, (_, i) => [i, 'x'.repeat(i)]));
  assert.strictEqual(many.rowsAffected, 300);
  await c.commit();
  await c.rollback();
  for (let i = 0; i < 3; i++) {
    const r = await c.execute('begin block(:1, :2, :3); end;', [
      i, { dir: oracledb.BIND_OUT, type: oracledb.NUMBER },
      { dir: oracledb.BIND_INOUT, type: oracledb.STRING, val: 'hello', maxSize: 100 }]);
    assert.deepStrictEqual(r.outBinds, [2 * i, 'hello!']);
  }
  await fails(942, () => c.execute('select nowhere'));
  await fails(1555, () => c.execute('select late'));
  setTimeout(() => c.break(), 100);
  await fails(1013, () => c.execute('begin wait; end;'));
  assert.strictEqual((await c.execute('select 3')).rows.length, 3);
  await c.close();
  console.log('ok');
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
