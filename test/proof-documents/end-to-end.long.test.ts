// A small form of run-end-to-end.ts.
import { expect, it, vi } from 'vitest';
import { hasBrowser, openBrowser } from '../../packages/test-support/http/open-browser.ts';
import { ledgerKinds, runEndToEnd } from './end-to-end.ts';

// Three ledgers are written, imported and served by processes of their own.
vi.setConfig({ testTimeout: 300_000 });

it('proves items of every stream with the package and on the page, and no flipped document', async () => {
  const browser = hasBrowser ? await openBrowser() : null;
  try {
    const result = await runEndToEnd({
      ledgers: ledgerKinds,
      items: 9,
      flips: 45,
      seed: 'small',
      browser,
      say: () => {},
    });
    expect(result.faults).toEqual([]);
    const count = Object.values(result.proved).reduce((sum, one) => sum + one, 0);
    expect([count, result.onPage, result.flipped]).toEqual([9, browser ? 9 : 0, 45]);
  } finally {
    await browser?.close();
  }
});
