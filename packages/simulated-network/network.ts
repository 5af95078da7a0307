// A small simulated network in a folder: nodes sign what happened on a ledger, block after block. Killed at any moment
// and started again, it continues the same chain; published files never change.
import { join } from 'node:path';
import type { SemanticVersion } from '../streams/stream/stream-block.ts';
import type { StateForm } from './block-stream/partial-state.ts';
import { createRunEvm } from './evm/run-evm.ts';
import { openExplorerFolder } from './explorer-records/explorer-folder.ts';
import { createFileOnce } from './files/atomic-file.ts';
import { type NetworkState, openJournal } from './files/journal.ts';
import { encodeAddressBook, loadSigningNodes } from './files/node-keys.ts';
import { createFullDisk } from './files/outlast-full-disk.ts';
import { makeOutputFolder } from './files/output-folder.ts';
import { openStreamFolder, type StreamFormat } from './files/stream-folder.ts';
import { createEmptyTables, createLedger, type LedgerTables } from './ledger/ledger.ts';
import type { GenesisFees } from './ledger/prices.ts';
import { createSigningKeys } from './ledger/signing-keys.ts';
import { createMakeBlock } from './make-block.ts';
import { createBlockSigner, type LedgerIdBytes } from './proofs/block-signer.ts';
import { type RunOptions, runBlocks } from './run-blocks.ts';
import { createWriteBlock, type WriteBlock } from './write-block.ts';

export type NetworkOptions = {
  folder: string;
  seed?: string;
  /** Number of signing nodes, 0.0.3 and up. */
  nodes?: number;
  /** Published blocks that stay in the folder. */
  keepBlocks?: number;
  hapiVersion?: SemanticVersion;
  /** What it writes; records by default. */
  format?: StreamFormat;
  /** The first block that is written as a block of a block stream. */
  cutoverAt?: bigint | null;
  /** Per cent of the gas limit that come back unused at most; 20 by default, as on the public networks. */
  maxGasBack?: number;
  /** The file with the price of gas that genesis writes; simple fees (113) by default. The folder remembers it. */
  genesisFees?: GenesisFees;
  /** One in this many items of a block stream is redacted; default none. */
  redactEvery?: number | null;
  /**
   * Nothing that the first blocks made is ever deleted, so that documents can name it; default: it is as everything else.
   * The folder remembers it.
   */
  keepsOpening?: boolean;
  /** How a block stream has values of the state; as nodes write them by default. Of use in an empty folder only. */
  stateForm?: StateForm;
  /** 64: of a ledger whose hinTS keys may change, and whose proofs are those of later networks; 32 by default. */
  ledgerIdBytes?: LedgerIdBytes;
  /** Called when the disk is full and blocks wait, and when they continue (null). */
  onFullDisk?: (error: Error | null) => void;
  /** Ends the wait for room on the disk while blocks of an earlier run are made again. */
  signal?: AbortSignal;
};

export type Network = {
  writeBlock: WriteBlock;
  run(options?: RunOptions): Promise<void>;
  /** The actual state of the ledger at this moment; not to be changed. */
  state(): { lastBlock: bigint; lastConsensus: bigint; tables: LedgerTables };
  /** Serialized NodeAddressBook to start a mirror with. */
  addressBookPath: string;
  /** Which a block stream is verified with; the first block publishes it. Made at the first call, which takes 0.1 s. */
  ledgerId(): Buffer;
  close(): Promise<void>;
};

/** Below a network's folder: the records of its block explorer, one file per contract. */
export const explorerFolderName = 'explorer';

const defaultHapiVersion: SemanticVersion = { major: 0, minor: 75, patch: 1 };

export async function createNetwork(options: NetworkOptions): Promise<Network> {
  const { folder, seed = 'ledger mirror', hapiVersion = defaultHapiVersion, keepBlocks = 5000 } = options;
  makeOutputFolder(folder);
  const journal = await openJournal(folder);
  const state = (await journal.load()) ?? beginning({ ...options, seed });
  assertSame(folder, state, { seed: options.seed ?? state.seed, nodes: options.nodes ?? state.nodes });

  const nodes = await loadSigningNodes(folder, state.nodes);
  const addressBookPath = join(folder, 'addressbook.bin');
  await createFileOnce(addressBookPath, encodeAddressBook(nodes));
  const { format = 'records', cutoverAt = null, redactEvery = null } = options;
  const signer = createBlockSigner({ seed: state.seed, nodes: state.nodes, ledgerIdBytes: state.ledgerIdBytes });
  const form = { hapiVersion, format, cutoverAt, redactEvery, stateForm: state.stateForm ?? 'whole' };
  const stream = await openStreamFolder({ folder, nodes, signer, ...form });
  const ledger = createLedger(state.tables);
  const explorer = await openExplorerFolder(join(folder, explorerFolderName), ledger);
  const keys = createSigningKeys({ seed: state.seed, ledger });
  const { outlast } = createFullDisk({ onChange: options.onFullDisk ?? (() => {}) });
  const makeBlock = createMakeBlock({
    ledger,
    keys,
    runEvm: createRunEvm(ledger, options.maxGasBack ?? 20),
    nodes,
    signer,
  });

  const { writeBlock, carryOut } = createWriteBlock({
    state,
    journal,
    makeBlock,
    stream,
    explorer,
    outlast,
    keepBlocks,
  });
  for (const plan of await journal.plansFrom(state.nextBlock)) await carryOut(plan, options.signal);
  if (state.nextBlock === 0n) await journal.save(state);

  return {
    writeBlock,
    // Only a wait that the signal ends throws this.
    run: (runOptions = {}) =>
      runBlocks({ state, writeBlock, canRotateAt: stream.canRotateAt }, runOptions).catch(ignoreAbort),
    state: () => ({ lastBlock: state.nextBlock - 1n, lastConsensus: state.lastConsensus, tables: state.tables }),
    addressBookPath,
    ledgerId: () => signer.publication().ledgerId,
    close: () => journal.close(),
  };
}

type Beginning = Pick<NetworkOptions, 'nodes' | 'ledgerIdBytes' | 'genesisFees' | 'stateForm' | 'keepsOpening'> & {
  seed: string;
};

function beginning(begun: Beginning): NetworkState {
  const { seed, nodes = 4, ledgerIdBytes = 32, genesisFees = '113', stateForm = 'saving', keepsOpening } = begun;
  return {
    seed,
    nodes,
    ledgerIdBytes,
    genesisFees,
    stateForm,
    keepsOpening,
    nextBlock: 0n,
    runningHash: Buffer.alloc(48),
    lastConsensus: 0n,
    stakeDay: 0n,
    tables: createEmptyTables(),
  };
}

function assertSame(folder: string, state: NetworkState, asked: { seed: string; nodes: number }): void {
  if (state.seed === asked.seed && state.nodes === asked.nodes) return;
  throw new Error(
    `The network in ${folder} was begun with seed "${state.seed}" and ${state.nodes} nodes, not with seed "${asked.seed}" ` +
      `and ${asked.nodes}. Give the same values, or another folder.`,
  );
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error;
}
