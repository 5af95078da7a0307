// What scenarios use while a block is made: the ledger, randomness, the cast of entities that earlier scenarios
// created, and `submit`, which executes one transaction at once.

import { setImmediate as afterOthers } from 'node:timers/promises';
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { accountId, tinybarPerHbar, toLong } from '../ledger/hapi-values.ts';
import type { Account, Ledger } from '../ledger/ledger.ts';
import type { Prices } from '../ledger/prices.ts';
import type { SeededRandom } from '../ledger/seeded-random.ts';
import type { KeyKind, SigningKeys } from '../ledger/signing-keys.ts';
import type { BlockSigner } from '../proofs/block-signer.ts';
import type { TransactionRunner } from '../run/run-transaction.ts';
import type { StreamUnit } from '../run/stream-unit.ts';
import type { Submission } from '../run/submission.ts';
import type { Moment, Outcome, Status } from '../transactions/execution.ts';
import type { SubmittedKind } from '../transactions/handlers.ts';
import { treasury } from './genesis.ts';

export type Role =
  | 'user'
  | 'ethereumUser'
  | 'hollow'
  | 'fungible'
  | 'nonFungible'
  | 'topic'
  | 'file'
  | 'counter'
  | 'coin'
  | 'factory'
  | 'reverter'
  | 'vault'
  | 'prober'
  | 'badges'
  | 'tickets'
  | 'node'
  | 'hookOwner'
  | 'registeredNode'
  | 'kept';

/** Maximum of each role; a full cast creates no more, so that the state stays small however long the network runs. */
const castLimits: Record<Role, number> = {
  user: 400,
  ethereumUser: 20,
  hollow: 40,
  fungible: 24,
  nonFungible: 12,
  topic: 12,
  file: 12,
  counter: 6,
  coin: 4,
  factory: 3,
  reverter: 3,
  vault: 4,
  prober: 4,
  badges: 1,
  tickets: 1,
  node: 3,
  hookOwner: 8,
  registeredNode: 4,
  kept: 100,
};
/** With more accounts no unknown address is paid. */
const accountLimit = 1500;
/** With more keys they are reused. */
const keyLimit = 1200;
/** Seconds, as wallets choose them. */
const validDurations = [120n, 120n, 120n, 60n, 180n] as const;
const lowBalance = 500n * tinybarPerHbar;
const topUp = 20_000n * tinybarPerHbar;

export type SubmitResult = { status: Status; id: bigint; receipt: Outcome['receipt'] };

export type Scene = {
  ledger: Ledger;
  random: SeededRandom;
  keys: SigningKeys;
  prices: Prices;
  signer: BlockSigner;
  /** Consensus time of the next transaction. */
  now(): bigint;
  cast(role: Role): readonly bigint[];
  isFull(role: Role): boolean;
  enlist(role: Role, id: bigint): void;
  dismiss(role: Role, id: bigint): void;
  /** Whatever is in the cast now, and each schedule, is never deleted: guides and examples name it. */
  keepAll(): void;
  /**
   * One that may be deleted; undefined if all are kept. It takes as much of the randomness as any choice, and another than
   * `pick` only where that one is kept.
   */
  pickVictim(choices: readonly bigint[]): bigint | undefined;
  /** The first at or after this place, around the end, that may be deleted. */
  victimFrom(choices: readonly bigint[], place: number): bigint | undefined;
  submit<K extends SubmittedKind>(submission: Submission<K>): Promise<SubmitResult>;
  /** An inner transaction for a batch, signed. */
  sign<K extends SubmittedKind>(submission: Submission<K>): Uint8Array;
  newKey(kind?: KeyKind): proto.IKey;
  account(id: bigint): Account;
  /** A user that can pay; topped up from the treasury when it runs low. */
  payer(): Promise<bigint>;
};

export type SceneOptions = {
  ledger: Ledger;
  random: SeededRandom;
  keys: SigningKeys;
  prices: Prices;
  signer: BlockSigner;
  runner: TransactionRunner;
  /** The moment of the n-th transaction of the block. */
  moment(position: number): Moment;
  units: StreamUnit[];
};

export type OpenScene = Scene & { submitted(): number };

export function createScene(options: SceneOptions): OpenScene {
  const { ledger, random, keys, prices, signer, runner, moment, units } = options;
  let submitted = 0;
  const members = (role: string) => ledger.tables.cast.get(role) ?? [];
  const victimFrom = (choices: readonly bigint[], place: number) =>
    [...choices.slice(place), ...choices.slice(0, place)].find((id) => !members('kept').includes(id));

  const scene: OpenScene = {
    ledger,
    random,
    keys,
    prices,
    signer,
    submitted: () => submitted,
    now: () => moment(submitted).consensusTimestamp,
    cast: members,
    isFull: (role) =>
      members(role).length >= castLimits[role] || (role === 'hollow' && ledger.tables.accounts.size > accountLimit),
    enlist: (role, id) => {
      ledger.put('cast', role, [...members(role), id].slice(-castLimits[role]));
    },
    dismiss: (role, id) => {
      ledger.put(
        'cast',
        role,
        members(role).filter((member) => member !== id),
      );
    },
    keepAll: () => {
      const { cast, schedules } = ledger.tables;
      ledger.put('cast', 'kept', [...new Set([...cast.values()].flat()), ...schedules.keys()]);
    },
    pickVictim: (choices) => victimFrom(choices, choices.length === 0 ? 0 : random.below(choices.length)),
    victimFrom,
    submit: async (submission) => {
      const validDurationSeconds = random.pick(validDurations);
      const result = await runner.run({ validDurationSeconds, ...submission } as Submission, moment(submitted));
      submitted += 1;
      units.push(result.unit);
      ledger.settle();
      // Who else works on this thread, such as the mirror of `npm start`, need not wait for the whole block.
      await afterOthers();
      return { status: result.status, receipt: result.receipt, id: createdId(result.receipt) };
    },
    sign: (submission) => runner.sign(submission as Submission, moment(submitted)),
    newKey: (kind) => {
      const known = ledger.tables.keys;
      const wanted = kind ?? (random.chance(0.6) ? 'ED25519' : 'ECDSA');
      if (known.size < keyLimit) return keys.create(wanted);
      const [publicKey] = random.pick([...known].filter(([, key]) => key.kind === wanted));
      const bytes = Buffer.from(publicKey, 'hex');
      return wanted === 'ED25519' ? { ed25519: bytes } : { ECDSASecp256k1: bytes };
    },
    account: (id) => ledger.tables.accounts.get(id)!,
    payer: async () => {
      const id = random.pick(members('user'));
      if (scene.account(id).balance < lowBalance) await refill(scene, id);
      return id;
    },
  };
  return scene;
}

/** hbar from the treasury. */
export async function refill(scene: Scene, id: bigint): Promise<void> {
  await scene.submit({
    kind: 'cryptoTransfer',
    payer: treasury,
    memo: 'refill',
    signers: scene.account(id).receiverSigRequired ? [id] : [],
    data: {
      transfers: {
        accountAmounts: [
          { accountID: accountId(treasury), amount: toLong(-topUp) },
          { accountID: accountId(id), amount: toLong(topUp) },
        ],
      },
    },
  });
}

function createdId(receipt: Outcome['receipt']): bigint {
  const { accountID, contractID, tokenID, fileID, topicID, scheduleID, nodeId, registeredNodeId } = receipt;
  const message = accountID ?? contractID ?? tokenID ?? fileID ?? topicID ?? scheduleID;
  return message ? toEntityId(message) : toBigInt(nodeId ?? registeredNodeId);
}
