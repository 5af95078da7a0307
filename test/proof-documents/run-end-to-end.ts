// `node scripts/run.mjs test/proof-documents/run-end-to-end.ts --items 1000 --flips 10000 --seed <text>`: see
// end-to-end.ts. Ends with 1 if a proof was not accepted, or a flipped one was. `--ledgers blocks` leaves out record
// files. Without Chromium the page is left out, and the last line says so.
import { parseArgs } from 'node:util';
import { hasBrowser, openBrowser } from '../../packages/test-support/http/open-browser.ts';
import { ledgerKinds, runEndToEnd } from './end-to-end.ts';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '1000' },
    flips: { type: 'string', default: '10000' },
    ledgers: { type: 'string', default: ledgerKinds.join() },
    seed: { type: 'string', default: 'end to end' },
  },
});
const browser = hasBrowser ? await openBrowser() : null;
const started = performance.now();
const { proved, onPage, flipped, faults, sizes } = await runEndToEnd({
  ledgers: ledgerKinds.filter((kind) => values.ledgers.split(',').includes(kind)),
  items: Number(values.items),
  flips: Number(values.flips),
  seed: values.seed,
  browser,
  say: (line) => console.log(line),
});
await browser?.close();
for (const [name, count] of Object.entries(proved)) {
  const sorted = sizes[name]!.toSorted((one, other) => one - other);
  console.log(
    `${name}: ${count} proofs, ${sorted[0]} to ${sorted.at(-1)} bytes, half below ${sorted[sorted.length >> 1]}`,
  );
}
const all = Object.values(proved).reduce((sum, count) => sum + count, 0);
console.log(
  `${all} documents, ${browser ? `${onPage} proved on the page` : 'no browser here'}, ${flipped} flips, ${faults.length} faults, ${Math.round((performance.now() - started) / 1000)} s`,
);
process.exit(faults.length === 0 ? 0 : 1);
