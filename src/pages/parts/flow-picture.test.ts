// Pictures of who gave what to whom: every amount is said, many parties are summed, and no number is ever none.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { html } from '../../../packages/kit/markup.ts';
import { type FlowParty, flowPicture } from './flow-picture.ts';

const draw = (givers: readonly FlowParty[], receivers: readonly FlowParty[]): string =>
  flowPicture({ title: 'Hbar', givers, receivers, format: (amount) => html`<b>${amount}</b>` }).markup;

const party = (who: string, amount: bigint): FlowParty => ({ who, amount });
const count = (text: string, part: string): number => text.split(part).length - 1;

it('one giver and one receiver have one band', () => {
  const picture = draw([party('0.0.5', 7n)], [party('0.0.6', 7n)]);
  expect([count(picture, 'class="band"'), count(picture, 'class="arrow"'), count(picture, '<rect')]).toEqual([1, 1, 0]);
});

it('several on both sides meet in a pool', () => {
  const picture = draw([party('a', 3n), party('b', 4n)], [party('c', 2n), party('d', 5n)]);
  expect([count(picture, 'class="band"'), count(picture, 'class="arrow"'), count(picture, '<rect')]).toEqual([4, 2, 1]);
});

it('the smallest of more than six are summed', () => {
  const many = Array.from({ length: 40 }, (_, at) => party(`giver ${at}`, BigInt(at + 1)));
  const picture = draw(many, [party('all', 820n)]);
  expect(picture).toContain('<span>35 others</span> <b>630</b>');
  expect(picture).toContain('<span>giver 39</span> <b>40</b>');
  expect(picture).not.toContain('giver 34<');
});

it('a hostile name stays text', () => {
  const picture = draw([party('</li><script>alert(1)</script>', 1n)], [party('"><svg onload=x>', 1n)]);
  expect(picture).not.toMatch(/<script|<svg onload/);
});

const parties = fc
  .array(fc.bigInt(1n, 2n ** 70n), { minLength: 1, maxLength: 20 })
  .map((amounts) => amounts.map((amount, at) => party(`p${at}`, amount)));

it('every amount gives finite shapes inside of the picture', () => {
  fc.assert(
    fc.property(parties, parties, (givers, receivers) => {
      const picture = draw(givers, receivers);
      expect(picture).not.toMatch(/NaN|Infinity|undefined/);
      const [, height] = /viewBox="0 0 100 (\d+)"/.exec(picture)!;
      const numbers = [...picture.matchAll(/ d="([^"]+)"/g)].flatMap(([, path]) =>
        path!.match(/-?[\d.]+/g)!.map(Number),
      );
      expect(Math.min(...numbers)).toBeGreaterThan(-6);
      expect(Math.max(...numbers)).toBeLessThan(Math.max(100, Number(height)) + 6);
    }),
    { numRuns: 100 },
  );
});
