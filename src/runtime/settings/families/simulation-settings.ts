// What the simulated network writes.
import { bigint, choice, integer, text } from '../../../../packages/kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { simulating } = commandGroups;

export const simulationSettings = {
  ...settingsOf(['network'], {
    output: text(
      { placeholder: '<folder>', defaultText: '<data-dir>/network' },
      'Folder that the simulated network writes its stream files to.',
    ),
  }),
  ...settingsOf(simulating, {
    seed: text(
      { defaultText: "`ledger mirror`, or the stored network's own" },
      'Seed of the simulated network; the same seed makes the same ledger.',
    ),
    nodes: integer(
      { min: 1, max: 30, defaultText: "4, or the stored network's own" },
      'Number of simulated consensus nodes.',
    ),
    'block-interval': integer(
      { unit: 'ms', min: 0, max: 3_600_000, default: 2000 },
      'Time between simulated blocks; 0 writes as fast as possible.',
    ),
  }),
  ...settingsOf(['network'], {
    blocks: integer({ min: 1, max: 1_000_000_000, defaultText: 'no end' }, 'Number of simulated blocks to write.'),
    'genesis-fees': choice(
      { choices: ['113', '111'], default: '113' },
      'The file that says what gas costs when the simulated network begins: 113, the simple fees, or 111, the fee schedule of older networks, which simple fees take over from later. The folder remembers it.',
    ),
  }),
  ...settingsOf(simulating, {
    'transactions-per-block': integer(
      { min: 1, max: 100_000, defaultText: '5 to 10, varying' },
      'Number of user transactions in a simulated block.',
    ),
    mix: choice(
      { choices: ['demo', 'bulk'], default: 'demo' },
      'demo: every kind of transaction; bulk: mostly transfers, for benchmarks.',
    ),
  }),
  ...settingsOf(simulating, {
    format: choice(
      { choices: ['records', 'wrapped', 'blocks'], default: 'records' },
      'What the simulated network writes: signed record files, blocks that wrap them, or a block stream.',
    ),
    'cutover-at': bigint(
      { placeholder: '<block>', defaultText: 'never' },
      'First block that the simulated network writes as a block of a block stream.',
    ),
    'sign-every': integer(
      { min: 1, max: 100, defaultText: 'most' },
      'One in this many blocks of a block stream is signed, and proves those before it, which wait for it: saves 15 ms of CPU time a block.',
    ),
    'ledger-id-bytes': choice(
      { choices: ['64', '32'], defaultText: "64, or the stored network's own" },
      'Length of the ledger id of the simulated network: 64 as of later networks, whose signing keys change; 32 as of earlier ones.',
    ),
    'rotate-every': integer(
      { min: 3, max: 1_000_000, default: 200 },
      'Blocks of a block stream between changes of the signing key of the simulated network, where its ledger id has 64 bytes.',
    ),
    'max-gas-refund': integer(
      { unit: '%', min: 0, max: 100, default: 20 },
      'Part of the gas limit of a contract transaction that the simulated network gives back at most where it was not used.',
    ),
    'keep-blocks': integer(
      { min: 10, max: 1_000_000_000, default: 5000 },
      'How many blocks the simulated network keeps on disk before it deletes the oldest.',
    ),
  }),
};
