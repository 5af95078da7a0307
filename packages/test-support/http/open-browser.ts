// A real browser, where there is one.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

/** Tests that need it are skipped without it. */
export const hasBrowser = executablePath !== undefined;

/** It reaches no host on its own. It takes long to start on a busy machine. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: 240_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}
