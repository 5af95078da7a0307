import { afterEach, beforeEach, expect, test } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../test/support/scratch-database.ts';
import { createLog } from './log.ts';
import { loadSettings } from './settings/load-settings.ts';
import { settleNetwork } from './settle-network.ts';

let database: ScratchDatabase;
let warnings: string[];
beforeEach(async () => {
  database = await createScratchDatabase();
  warnings = [];
});
afterEach(() => database.close());

const log = createLog({
  level: 'info',
  format: 'json',
  target: { write: (line) => void warnings.push(JSON.parse(line).msg) },
});

function settle(command: 'start' | 'import' | 'serve', argv: string[] = [], simulated = false) {
  const settings = loadSettings(command, argv, {});
  const { connectionString } = database;
  return settleNetwork({ connectionString, settings, log, simulated, imports: command !== 'serve' });
}

test('what the import was told is known to the server', async () => {
  expect(await settle('import', ['--network', 'mainnet'])).toEqual({ name: 'mainnet', chainId: 0x127n });
  expect(await settle('serve')).toEqual({ name: 'mainnet', chainId: 0x127n });
  expect(warnings).toEqual([]);
});

test('a chain id is remembered too', async () => {
  await settle('start', ['--network', 'mine', '--chain-id', '0x1234']);
  expect(await settle('serve')).toEqual({ name: 'mine', chainId: 0x1234n });
});

test.each([
  ['serve', ['--network', 'testnet'], false, /filled for the network mainnet, not for --network testnet/],
  ['import', ['--network', 'testnet'], false, /filled for the network mainnet/],
  ['serve', ['--chain-id', '0x128'], false, /filled for chain id 0x127, not for --chain-id 0x128/],
  ['start', [], true, /not for the simulated network "demo"\. Name the stream files with --source/],
] as const)('%s %j contradicts a database of mainnet', async (command, argv, simulated, says) => {
  await settle('import', ['--network', 'mainnet']);
  await expect(settle(command, [...argv], simulated)).rejects.toThrow(says);
  expect(await settle('serve')).toEqual({ name: 'mainnet', chainId: 0x127n });
});

test('a network without a name is said to be unnamed, and can be named later', async () => {
  expect(await settle('import')).toEqual({ name: 'other', chainId: 0x128n });
  expect(warnings).toEqual([expect.stringContaining('The network has no name')]);
  expect(await settle('serve', ['--network', 'mainnet'])).toEqual({ name: 'mainnet', chainId: 0x127n });
  await settle('import', ['--network', 'mainnet']);
  expect(await settle('serve')).toEqual({ name: 'mainnet', chainId: 0x127n });
});

test('the simulated network is demo', async () => {
  expect(await settle('start', [], true)).toEqual({ name: 'demo', chainId: 0x12an });
  expect(await settle('serve')).toEqual({ name: 'demo', chainId: 0x12an });
});
