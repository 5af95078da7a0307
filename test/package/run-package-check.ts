// `node scripts/run.mjs test/package/run-package-check.ts`: the npm package, installed in an empty folder from its
// tarball, shows its version and help, examines the machine, writes a simulated network, proves it and imports it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackage, makePackage, run } from './install-package.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-package-'));
try {
  const command = installPackage(makePackage(folder), join(folder, 'empty'));
  const streams = join(folder, 'streams');
  const source = ['--source', streams, '--address-book', join(streams, 'addressbook.bin')];
  const steps = [
    ['--version'],
    ['--help'],
    ['network', '--output', streams, '--blocks', '6', '--block-interval', '0', '--log-level', 'error'],
    ['verify', ...source],
    ['doctor', ...source, '--port', '0', '--data-dir', join(folder, 'data')],
    ['import', '--once', ...source, '--data-dir', join(folder, 'data'), '--log-level', 'error'],
  ];
  for (const step of steps) {
    console.log(`$ ledger-mirror ${step.join(' ')}`);
    console.log(run(command, step, folder).trimEnd());
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
