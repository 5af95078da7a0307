// A small form of run-end-to-end.ts.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { ledgerKinds, runEndToEnd } from './end-to-end.ts';

// Three ledgers are written, imported and served by processes of their own.
vi.setConfig({ testTimeout: 300_000 });

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

it('proves items of every stream with the package and on the page, and no flipped document', async () => {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
  const browser = executablePath ? await chromium.launch({ executablePath, timeout: 240_000, args }) : null;
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
