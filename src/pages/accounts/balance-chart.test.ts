import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balanceChart, thin } from './balance-chart.ts';

const points = fc
  .array(
    fc.record({ gap: fc.bigInt({ min: 1n, max: 10n ** 15n }), balance: fc.bigInt({ min: 0n, max: 5n * 10n ** 18n }) }),
    {
      minLength: 1,
      maxLength: 1200,
    },
  )
  .map((steps) => {
    let at = 0n;
    return steps.map(({ gap, balance }) => {
      at += gap;
      return { at, balance };
    });
  });

describe('the picture of a balance', () => {
  it('has the first, the last, the lowest and the highest point, in order and few', () => {
    fc.assert(
      fc.property(points, (all) => {
        const kept = thin(all);
        expect(kept.length).toBeLessThanOrEqual(145);
        expect(kept[0]).toBe(all[0]);
        expect(kept.at(-1)).toBe(all.at(-1));
        expect(all.filter((point) => kept.includes(point))).toEqual(kept);
        const balances = (some: typeof all) =>
          some.map(({ balance }) => balance).sort((one, other) => (one < other ? -1 : 1));
        expect([balances(kept)[0], balances(kept).at(-1)]).toEqual([balances(all)[0], balances(all).at(-1)]);
      }),
      { numRuns: 50 },
    );
  });

  it('says since when it is exact', () => {
    const exact = [{ at: 2_000_000_000_000_000_000n, balance: 5n }];
    const now = exact[0]!.at;
    const note = 'From <time datetime="2033-05-18T03:33:20Z"';
    expect(balanceChart({ exact, snapshots: [], isWhole: true }, now).markup).not.toContain(note);
    expect(balanceChart({ exact, snapshots: [], isWhole: false }, now).markup).toContain(
      'earlier balances are not known here',
    );
    const before = balanceChart({ exact, snapshots: [{ at: 5n, balance: 1n }], isWhole: false }, now).markup;
    expect(before).toContain(note);
    expect(before).toContain('before that as in balance snapshots');
    expect(balanceChart(null, now).markup).toContain('unknown');
  });
});
