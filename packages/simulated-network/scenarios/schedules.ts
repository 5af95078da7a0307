// Schedules that execute at once, collect signatures, are deleted, expire, or wait for their expiry.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { encodeCall } from '../evm/artifacts.ts';
import {
  accountId,
  contractId,
  nsPerSecond,
  scheduleId,
  timestamp,
  tinybarPerHbar,
  tokenId,
  toLong,
  topicId,
} from '../ledger/hapi-values.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { treasury } from './genesis.ts';
import type { Scene } from './scene.ts';
import { debitAndCredits } from './transfers.ts';

/** A transfer that another account must sign, or a transaction that is ready at once. */
export async function createSchedule(scene: Scene): Promise<void> {
  const pair = scene.random.pair(scene.cast('user'));
  if (!pair) return;
  const { random } = scene;
  const [owner, receiver] = pair;
  const creator = await scene.payer();
  const form = random.weighted({ atOnce: 2, waiting: 5, atExpiry: 2, anything: 3 });
  const wanted = form === 'anything' ? pickSchedulable(scene, creator) : null;
  const adminKey = random.chance(0.5) ? scene.newKey() : undefined;
  const lifetimeSeconds = random.pick([20n, 60n, 600n]);
  await scene.submit({
    kind: 'scheduleCreate',
    payer: creator,
    signers: form === 'atOnce' || form === 'atExpiry' ? [owner, receiver] : [],
    keys: [...(adminKey ? [encodeKey(adminKey)] : []), ...(wanted?.keys ?? [])],
    data: {
      scheduledTransactionBody: {
        transactionFee: toLong(tinybarPerHbar),
        memo: random.pick(['', 'rent', 'scheduled 🗓']),
        ...(wanted?.body ?? transferBody(scene, owner, receiver)),
      },
      memo: random.pick(['', 'monthly', 'needs two signatures']),
      adminKey,
      payerAccountID: !wanted && random.chance(0.4) ? accountId(owner) : undefined,
      expirationTime:
        form === 'atExpiry' || random.chance(0.5)
          ? { seconds: timestamp(scene.now() + lifetimeSeconds * nsPerSecond).seconds }
          : undefined,
      waitForExpiry: form === 'atExpiry',
    },
  });
}

/** A signature that a schedule waits for, or one that changes nothing. */
export async function signSchedule(scene: Scene): Promise<void> {
  const pending = [...scene.ledger.tables.schedules.values()].filter(({ state }) => state === 'pending');
  if (pending.length === 0) return createSchedule(scene);
  const schedule = scene.random.pick(pending);
  const users = scene.cast('user');
  const parties = users.filter((id) => Buffer.from(schedule.body).includes(encodedNum(id)));
  const signers = [...parties, schedule.payer].filter((id) => users.includes(id));
  const chosen = scene.random.chance(0.5) ? signers : signers.slice(0, 1);
  await scene.submit({
    kind: 'scheduleSign',
    payer: await scene.payer(),
    signers: chosen.length > 0 ? chosen : [scene.random.pick(users)],
    data: { scheduleID: scheduleId(schedule.id) },
  });
}

export async function deleteSchedule(scene: Scene): Promise<void> {
  const { schedules } = scene.ledger.tables;
  const own = [...schedules.values()].filter(({ state, adminKey }) => state === 'pending' && adminKey);
  const id = scene.victimFrom(
    own.map((schedule) => schedule.id),
    0,
  );
  if (id === undefined) return createSchedule(scene);
  await scene.submit({
    kind: 'scheduleDelete',
    payer: await scene.payer(),
    keys: [schedules.get(id)!.adminKey!],
    data: { scheduleID: scheduleId(id) },
  });
}

function transferBody(scene: Scene, owner: bigint, receiver: bigint): proto.ISchedulableTransactionBody {
  const amount = scene.random.amount(1n, 5n) * tinybarPerHbar;
  return { cryptoTransfer: { transfers: { accountAmounts: debitAndCredits(owner, [{ id: receiver, amount }]) } } };
}

type Schedulable = { body: proto.ISchedulableTransactionBody; keys?: Uint8Array[] };

/** One of the many kinds of transactions that can be scheduled, with the keys that it needs besides the payer's. */
function pickSchedulable(scene: Scene, payer: bigint): Schedulable {
  const { random, ledger } = scene;
  const forms: Schedulable[] = [
    { body: { utilPrng: { range: 6 } } },
    { body: { cryptoUpdateAccount: { accountIDToUpdate: accountId(payer), memo: { value: 'by schedule' } } } },
    { body: { consensusCreateTopic: { memo: 'by schedule' } } },
    { body: { cryptoCreateAccount: { key: scene.newKey(), initialBalance: toLong(1n), memo: 'by schedule' } } },
    {
      body: {
        cryptoApproveAllowance: {
          cryptoAllowances: [{ owner: accountId(payer), spender: accountId(treasury), amount: toLong(7n) }],
        },
      },
    },
    { body: { fileCreate: { contents: Buffer.from('by schedule'), expirationTime: { seconds: toLong(2n ** 31n) } } } },
  ];
  for (const id of scene.cast('topic').slice(0, 1)) {
    const message = { topicID: topicId(id), message: Buffer.from('from the past') };
    forms.push({ body: { consensusSubmitMessage: message } });
  }
  for (const id of scene.cast('counter').slice(0, 1)) {
    const call = { contractID: contractId(id), gas: toLong(200_000n) };
    const functionParameters = encodeCall('Counter', 'increment()');
    forms.push({ body: { contractCall: { ...call, functionParameters } } });
  }
  for (const id of scene.cast('fungible')) {
    const { supply, pause, freeze } = ledger.tables.tokens.get(id)!.keys;
    const token = tokenId(id);
    forms.push({ body: { tokenAssociate: { account: accountId(payer), tokens: [token] } } });
    if (supply) {
      forms.push(
        { body: { tokenMint: { token, amount: toLong(5n) } }, keys: [supply] },
        { body: { tokenBurn: { token, amount: toLong(1n) } }, keys: [supply] },
      );
    }
    if (freeze) forms.push({ body: { tokenUnfreeze: { token, account: accountId(payer) } }, keys: [freeze] });
    if (pause) forms.push({ body: { tokenUnpause: { token } }, keys: [pause] });
  }
  return random.pick(forms);
}

/** An account number as it stands in an encoded AccountID: field 3, varint. */
function encodedNum(id: bigint): Buffer {
  const bytes = [0x18];
  let rest = id;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
