// What the simulated network writes.
import { commandGroups } from '../command-groups.ts';
import { bigintSetting, choiceSetting, integerSetting, textSetting } from '../setting.ts';

const { simulating } = commandGroups;

export const simulationSettings = {
  output: textSetting({
    placeholder: '<folder>',
    description: 'Folder that the simulated network writes its stream files to.',
    commands: ['network'],
    defaultText: '<data-dir>/network',
  }),
  seed: textSetting({
    description: 'Seed of the simulated network; the same seed makes the same ledger.',
    commands: simulating,
    defaultText: "`ledger mirror`, or the stored network's own",
  }),
  nodes: integerSetting({
    min: 1,
    max: 30,
    description: 'Number of simulated consensus nodes.',
    commands: simulating,
    defaultText: "4, or the stored network's own",
  }),
  'block-interval': integerSetting({
    placeholder: '<ms>',
    min: 0,
    max: 3_600_000,
    description: 'Time between simulated blocks; 0 writes as fast as possible.',
    commands: simulating,
    default: 2000,
  }),
  blocks: integerSetting({
    min: 1,
    max: 1_000_000_000,
    description: 'Number of simulated blocks to write.',
    commands: ['network'],
    defaultText: 'no end',
  }),
  'transactions-per-block': integerSetting({
    min: 1,
    max: 100_000,
    description: 'Number of user transactions in a simulated block.',
    commands: simulating,
    defaultText: '5 to 10, varying',
  }),
  mix: choiceSetting({
    choices: ['demo', 'bulk'],
    description: 'demo: every kind of transaction; bulk: mostly transfers, for benchmarks.',
    commands: simulating,
    default: 'demo',
  }),
  format: choiceSetting({
    choices: ['records', 'wrapped', 'blocks'],
    description: 'What the simulated network writes: signed record files, blocks that wrap them, or a block stream.',
    commands: ['network'],
    default: 'records',
  }),
  'cutover-at': bigintSetting({
    placeholder: '<block>',
    description: 'First block that the simulated network writes as a block of a block stream.',
    commands: ['network'],
    defaultText: 'never',
  }),
  'keep-blocks': integerSetting({
    min: 10,
    max: 1_000_000_000,
    description: 'How many blocks the simulated network keeps on disk before it deletes the oldest.',
    commands: simulating,
    default: 5000,
  }),
};
