// Schedules that execute at once, collect signatures, are deleted, expire, or wait for their expiry.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { accountId, nsPerSecond, scheduleId, timestamp, tinybarPerHbar, toLong, topicId } from '../hapi-values.ts';
import type { Scene } from '../scene.ts';
import { encodeKey } from '../signing-keys.ts';
import { debitAndCredits } from './transfers.ts';

/** A transfer that another account must sign. */
export async function createSchedule(scene: Scene): Promise<void> {
  const pair = scene.random.pair(scene.cast('user'));
  if (!pair) return;
  const { random } = scene;
  const [owner, receiver] = pair;
  const creator = await scene.payer();
  const form = random.weighted({ atOnce: 2, waiting: 5, atExpiry: 2, message: 1 });
  const adminKey = random.chance(0.5) ? scene.newKey() : undefined;
  const lifetimeSeconds = random.pick([20n, 60n, 600n]);
  await scene.submit({
    kind: 'scheduleCreate',
    payer: creator,
    signers: form === 'atOnce' || form === 'atExpiry' ? [owner, receiver] : [],
    keys: adminKey ? [encodeKey(adminKey)] : [],
    data: {
      scheduledTransactionBody: {
        transactionFee: toLong(tinybarPerHbar),
        memo: random.pick(['', 'rent', 'scheduled 🗓']),
        ...(form === 'message' ? messageBody(scene) : transferBody(scene, owner, receiver)),
      },
      memo: random.pick(['', 'monthly', 'needs two signatures']),
      adminKey,
      payerAccountID: random.chance(0.4) ? accountId(owner) : undefined,
      expirationTime:
        form === 'atExpiry' || random.chance(0.5)
          ? { seconds: timestamp(scene.now() + lifetimeSeconds * nsPerSecond).seconds }
          : undefined,
      waitForExpiry: form === 'atExpiry',
    },
  });
}

/** One of the signatures that a schedule waits for, or one that changes nothing. */
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
  const own = [...scene.ledger.tables.schedules.values()].find(
    ({ state, adminKey }) => state === 'pending' && adminKey,
  );
  if (!own) return createSchedule(scene);
  await scene.submit({
    kind: 'scheduleDelete',
    payer: await scene.payer(),
    keys: [own.adminKey!],
    data: { scheduleID: scheduleId(own.id) },
  });
}

function transferBody(scene: Scene, owner: bigint, receiver: bigint): proto.ISchedulableTransactionBody {
  const amount = scene.random.amount(1n, 5n) * tinybarPerHbar;
  return { cryptoTransfer: { transfers: { accountAmounts: debitAndCredits(owner, [{ id: receiver, amount }]) } } };
}

function messageBody(scene: Scene): proto.ISchedulableTransactionBody {
  const topics = scene.cast('topic');
  if (topics.length === 0) return { utilPrng: { range: 6 } };
  return {
    consensusSubmitMessage: { topicID: topicId(scene.random.pick(topics)), message: Buffer.from('from the past') },
  };
}

/** An account number as it stands in an encoded AccountID: field 3, varint. */
function encodedNum(id: bigint): Buffer {
  const bytes = [0x18];
  let rest = id;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
