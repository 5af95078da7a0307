// Lets a killed network continue: it saves the whole state now and then, and before each block its plan. After a
// restart the blocks since the last saved state are made again, byte for byte the same.
import { existsSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { StateForm } from '../block-stream/partial-state.ts';
import { createEmptyTables, type LedgerTables } from '../ledger/ledger.ts';
import type { GenesisFees } from '../ledger/prices.ts';
import type { UnprovedBlock } from '../proofs/block-proofs.ts';
import type { LedgerIdBytes } from '../proofs/block-signer.ts';
import { replaceFile } from './atomic-file.ts';
import type { BlockChainState } from './block-chain.ts';

/** What a block depends on besides the seed and the state before it. */
export type BlockPlan = {
  number: bigint;
  /** ns */
  consensusStart: bigint;
  /** ns that the block's transactions spread over. */
  duration: bigint;
  transactions: number;
  mix: 'demo' | 'bulk' | 'contracts';
  isProvedLater: boolean;
  /** Of a block stream with a ledger id of 64 bytes; absent: the hinTS key stays as it is. */
  rotation?: KeyRotation;
};

/**
 * named: the block's state names the next key. taken: it is the first that the next key signs, whether or not it was
 * named.
 */
export type KeyRotation = 'named' | 'taken';

export type NetworkState = {
  seed: string;
  nodes: number;
  /** 64, where the ledger id has as many bytes; absent: 32. */
  ledgerIdBytes?: LedgerIdBytes;
  /** How many hinTS keys there were before the one that signs; absent: none. */
  keyNumber?: number;
  /** A block has named the next one. */
  isNextKeyNamed?: boolean;
  /** Absent in folders of earlier versions. */
  genesisFees?: GenesisFees;
  /** Absent in folders of earlier versions, which write whole values: blocks that are made again are the same ones. */
  stateForm?: StateForm;
  /** Nothing that the first blocks made is deleted. */
  keepsOpening?: boolean;
  nextBlock: bigint;
  runningHash: Buffer;
  /** Absent in folders of earlier versions; their blocks then begin a new chain. */
  blockChain?: BlockChainState;
  /** Blocks of a block stream that wait for a signature of a later one. */
  unproved?: readonly UnprovedBlock[];
  /** ns; 0 before the first block. */
  lastConsensus: bigint;
  /** UTC day of the newest stake update. */
  stakeDay: bigint;
  tables: LedgerTables;
};

export type Journal = {
  /** The newest saved state, null in an empty folder. */
  load(): Promise<NetworkState | null>;
  /** Plans of blocks after this one. */
  plansFrom(block: bigint): Promise<BlockPlan[]>;
  /** On disk before anything of the block is published. */
  announce(plan: BlockPlan): Promise<void>;
  save(state: NetworkState): Promise<void>;
  close(): Promise<void>;
};

export async function openJournal(folder: string): Promise<Journal> {
  const statePath = join(folder, 'state', 'state.bin');
  const plansPath = join(folder, 'state', 'blocks.log');
  await mkdir(join(folder, 'state'), { recursive: true });
  await cutTornLine(plansPath);
  const plans = await open(plansPath, 'a');
  let sizeBytes = (await plans.stat()).size;

  return {
    load: async () => {
      if (!existsSync(statePath)) return null;
      const state = deserialize(await readFile(statePath)) as NetworkState;
      // A folder of an earlier version lacks tables that came later.
      return {
        ...state,
        tables: { ...createEmptyTables(), ...state.tables, hooks: withHookMembers(state.tables.hooks) },
        runningHash: Buffer.from(state.runningHash),
        blockChain: withBuffers(state.blockChain),
      };
    },
    plansFrom: async (block) => {
      const lines = (await readFile(plansPath, 'utf8')).split('\n').slice(0, -1);
      return lines.map(parsePlan).filter(({ number }) => number >= block);
    },
    announce: async ({ number, consensusStart, duration, transactions, mix, isProvedLater, rotation }) => {
      const proof = `${isProvedLater ? ' later' : ''}${rotation ? ` ${rotation}` : ''}`;
      const line = `${number} ${consensusStart} ${duration} ${transactions} ${mix}${proof}\n`;
      // An attempt that failed may have left a part of the line.
      await plans.truncate(sizeBytes);
      await plans.appendFile(line);
      await plans.datasync();
      sizeBytes += Buffer.byteLength(line);
    },
    save: async (state) => {
      await replaceFile(statePath, serialize(state));
      // Truncated, not replaced: a full disk has no room for a new file.
      await plans.truncate(0);
      sizeBytes = 0;
    },
    close: () => plans.close(),
  };
}

/** Earlier versions kept only the keys of a hook's storage, and not its contract, admin key and kind of owner. */
function withHookMembers(hooks: LedgerTables['hooks'] = new Map()): LedgerTables['hooks'] {
  const slotsOf = (slots: Record<string, string> | string[]) =>
    Array.isArray(slots) ? Object.fromEntries(slots.map((key) => [key, '01'])) : slots;
  const unknownMembers = { contract: 0n, adminKey: null, ownerIsContract: false };
  return new Map([...hooks].map(([key, hook]) => [key, { ...unknownMembers, ...hook, slots: slotsOf(hook.slots) }]));
}

/** `v8.deserialize` gives plain arrays of bytes. */
function withBuffers(chain: BlockChainState | undefined): BlockChainState | undefined {
  return (
    chain && {
      lastRoot: Buffer.from(chain.lastRoot),
      trees: chain.trees.map(({ size, hash }) => ({ size, hash: Buffer.from(hash) })),
    }
  );
}

/** A kill may have cut the last line short; then nothing of its block was published. */
async function cutTornLine(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const text = await readFile(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) await replaceFile(path, whole);
}

function parsePlan(line: string): BlockPlan {
  const match = /^(\d+) (\d+) (\d+) (\d+) (demo|bulk|contracts)( later)?(?: (named|taken))?$/.exec(line);
  if (!match)
    throw new Error(`The block log of the network has an invalid line: "${line}". Start with an empty folder.`);
  const [, number, consensusStart, duration, transactions, mix, later, rotation] = match;
  return {
    number: BigInt(number!),
    consensusStart: BigInt(consensusStart!),
    duration: BigInt(duration!),
    transactions: Number(transactions),
    mix: mix as BlockPlan['mix'],
    isProvedLater: later !== undefined,
    ...(rotation ? { rotation: rotation as KeyRotation } : {}),
  };
}
