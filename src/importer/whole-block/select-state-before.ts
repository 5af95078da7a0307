// What the database knows of the ledger's state at the beginning of a block.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectPastNonces } from '../../../packages/store/read/state/select-past-nonces.ts';
import {
  selectAirdropVersions,
  selectEntityNames,
  selectHookSlotBefore,
  selectSupplies,
  selectUnchangedSlots,
} from '../../../packages/store/read/state/select-state-before.ts';
import { selectNewestBlockEnd } from '../../../packages/store/read/state/select-state-block.ts';
import { selectPastSlots } from '../../../packages/store/read/state/select-state-slots.ts';
import { selectLastSerials } from '../../../packages/store/read/state/select-state-tokens.ts';
import {
  nameOfQuestion,
  type StateAnswer,
  type StateAnswers,
  type StateQuestion,
} from '../../../packages/streams/stream/state-question.ts';
import { emptyBytes, padWord, trimWord } from '../columns/stored-values.ts';

type Asked<Kind extends StateQuestion['kind']> = Extract<StateQuestion, { kind: Kind }>;
type Answer<Kind extends StateQuestion['kind']> = [question: Asked<Kind>, answer: StateAnswer];
/** `until`: ns, just before the block; `isNewest`: no later block is stored. */
type Moment = { until: bigint; isNewest: boolean };

/** What it does not know has no answer. `before`: ns. */
export async function selectStateBefore(
  db: Database,
  questions: readonly StateQuestion[],
  before: bigint,
): Promise<StateAnswers> {
  const newest = await selectNewestBlockEnd(db);
  const moment = { until: before - 1n, isNewest: newest === null || newest < before };
  const of = <Kind extends StateQuestion['kind']>(kind: Kind) =>
    questions.filter((question): question is Asked<Kind> => question.kind === kind);
  const answers: Answer<StateQuestion['kind']>[][] = await Promise.all([
    answerSupplies(db, of('totalSupply'), moment),
    answerSerials(db, of('lastSerial'), moment),
    answerNames(db, of('alias'), moment),
    answerNonces(db, of('ethereumNonce'), moment),
    answerSlots(db, of('slot'), moment),
    answerAirdrops(db, of('airdrop'), moment),
  ]);
  return new Map(answers.flat().map(([question, answer]) => [nameOfQuestion(question), answer]));
}

async function answerSupplies(
  db: Database,
  asked: readonly Asked<'totalSupply'>[],
  { until, isNewest }: Moment,
): Promise<Answer<'totalSupply'>[]> {
  const tokens = asked.map(({ tokenId }) => tokenId);
  const supplies = await selectSupplies(db, tokens, isNewest ? null : until + 1n);
  return asked.map((question) => [question, supplies.get(question.tokenId) ?? null]);
}

async function answerSerials(
  db: Database,
  asked: readonly Asked<'lastSerial'>[],
  { until }: Moment,
): Promise<Answer<'lastSerial'>[]> {
  if (asked.length === 0) return [];
  const tokens = asked.map(({ tokenId }) => tokenId);
  const serials = new Map((await selectLastSerials(db, tokens, until)).map(({ tokenId, serial }) => [tokenId, serial]));
  return asked.map((question) => [question, serials.get(question.tokenId) ?? null]);
}

async function answerNames(db: Database, asked: readonly Asked<'alias'>[], moment: Moment): Promise<Answer<'alias'>[]> {
  const entities = await selectEntities(db, asked, moment);
  return asked.map((question) => {
    const entity = entities.get(question.accountId);
    return [question, entity ? (entity.alias ?? entity.evmAddress ?? emptyBytes) : null];
  });
}

async function answerNonces(
  db: Database,
  asked: readonly Asked<'ethereumNonce'>[],
  moment: Moment,
): Promise<Answer<'ethereumNonce'>[]> {
  if (!moment.isNewest) {
    const ids = asked.map(({ accountId }) => accountId);
    const nonces = await selectPastNonces(db, ids, moment.until);
    return asked.map((question) => [question, nonces.get(question.accountId) ?? null]);
  }
  const entities = await selectEntities(db, asked, moment);
  return asked.map((question) => [question, entities.get(question.accountId)?.ethereumNonce ?? null]);
}

async function selectEntities(db: Database, asked: readonly { accountId: bigint }[], { until }: Moment) {
  if (asked.length === 0) return new Map<bigint, Awaited<ReturnType<typeof selectEntityNames>>[number]>();
  const ids = asked.map(({ accountId }) => accountId);
  return new Map((await selectEntityNames(db, ids, until + 1n)).map((row) => [row.id, row]));
}

async function answerSlots(db: Database, asked: readonly Asked<'slot'>[], moment: Moment): Promise<Answer<'slot'>[]> {
  const ofContracts = asked.flatMap((question) => {
    const { place, key } = question;
    return 'contractId' in place ? [{ question, contractId: place.contractId, slot: Buffer.from(padWord(key)) }] : [];
  });
  const values = await selectSlotValues(db, ofContracts, moment);
  const answers: Answer<'slot'>[] = ofContracts.map(({ question, ...slot }) => [
    question,
    values.get(nameOfSlot(slot)) ?? null,
  ]);
  for (const question of asked) {
    const { place, key } = question;
    if ('contractId' in place) continue;
    const row = await selectHookSlotBefore(db, { ...place, key: Buffer.from(padWord(key)) }, moment.until + 1n);
    answers.push([question, row && (row.deleted ? emptyBytes : trimWord(row.value))]);
  }
  return answers;
}

type SlotOfContract = { contractId: bigint; slot: Buffer };

function nameOfSlot({ contractId, slot }: SlotOfContract): string {
  return `${contractId}:${Buffer.from(padWord(slot)).toString('hex')}`;
}

/** The newest change of each; of a slot without one, what it had at the beginning of the ledger. */
async function selectSlotValues(
  db: Database,
  slots: readonly SlotOfContract[],
  { until }: Moment,
): Promise<Map<string, Uint8Array>> {
  if (slots.length === 0) return new Map();
  const values = new Map<string, { at: bigint; value: Uint8Array }>();
  for (const { contractId, slot, value, consensusTimestamp } of await selectPastSlots(db, slots, until)) {
    const name = nameOfSlot({ contractId, slot });
    if ((values.get(name)?.at ?? -1n) < consensusTimestamp) values.set(name, { at: consensusTimestamp, value });
  }
  const others = slots.filter((slot) => !values.has(nameOfSlot(slot)));
  if (others.length > 0) {
    for (const { contractId, slot, value } of await selectUnchangedSlots(db, others, until + 1n)) {
      values.set(nameOfSlot({ contractId, slot }), { at: 0n, value: value ?? emptyBytes });
    }
  }
  return new Map([...values].map(([name, { value }]) => [name, trimWord(value)]));
}

async function answerAirdrops(
  db: Database,
  asked: readonly Asked<'airdrop'>[],
  { until, isNewest }: Moment,
): Promise<Answer<'airdrop'>[]> {
  const versions = await selectAirdropVersions(db, asked, isNewest ? null : until);
  return asked.map((question, place) => {
    const version = versions.get(place);
    return [question, version?.state === 'PENDING' ? version.amount : null];
  });
}
