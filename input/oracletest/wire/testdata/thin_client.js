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
  await fails(3001, () => c.execute('select lob'));
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
