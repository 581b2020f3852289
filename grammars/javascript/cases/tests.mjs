import { describe, it } from 'node:test';

describe('the list', () => {
  let list;
  beforeEach(async () => {
    list = await make();
  });

  // comments above a block are not its own
  it('is empty', () => {
    expect(list.map((x) => x.id)).toEqual([]);
  });

  it(`holds ${1}`, function () { list.forEach(x => check(x)); });
  describe.skip('later', () => {});
  test.each([1, 2])('adds %i', (n) => { use(n); });
});
await test('top', async (t) => {
  await t.test('sub', () => {});
});
server.on('close', () => process.exit());
fetch(url).then((r) => r.json()).then((data) => {
  show(data);
}).catch(() => {});
setTimeout(() => { done(); }, 100);
export default {
  name: 'app',
  data() { return {}; },
  computed: { full: () => 1 },
};
