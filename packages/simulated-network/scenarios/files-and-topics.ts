// Files and topics: created, changed, written to, deleted; topics with a price for messages.
import {
  accountId,
  duration,
  fileId,
  nsPerSecond,
  timestamp,
  tinybarPerHbar,
  tokenId,
  toLong,
  topicId,
} from '../ledger/hapi-values.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import type { Scene } from './scene.ts';

export async function workOnFile(scene: Scene): Promise<void> {
  const { random } = scene;
  const payer = await scene.payer();
  if (scene.cast('file').length < 3) {
    const key = scene.newKey();
    const expirationTime = { seconds: timestamp(scene.now() + 7_776_000n * nsPerSecond).seconds };
    const contents = Buffer.from('The first line.\n');
    const { status, id } = await scene.submit({
      kind: 'fileCreate',
      payer,
      keys: [encodeKey(key)],
      data: { contents, keys: { keys: [key] }, expirationTime, memo: random.pick(['', 'notes']) },
    });
    if (status === 'SUCCESS') scene.enlist('file', id);
    return;
  }
  const file = scene.ledger.tables.files.get(random.pick(scene.cast('file')))!;
  const signed = { payer, keys: file.keys };
  const fileID = fileId(file.id);
  const what = random.weighted({ append: file.contents.length < 4000 ? 4 : 0, update: 2, remove: 1 });
  if (what === 'append')
    await scene.submit({ kind: 'fileAppend', ...signed, data: { fileID, contents: Buffer.from('One more line.\n') } });
  if (what === 'update') {
    const data = { fileID, contents: Buffer.from('All new.\n'), memo: { value: 'rewritten' } };
    await scene.submit({ kind: 'fileUpdate', ...signed, data });
  }
  if (what === 'remove') {
    await scene.submit({ kind: 'fileDelete', ...signed, data: { fileID } });
    scene.dismiss('file', file.id);
  }
}

export async function createTopic(scene: Scene): Promise<void> {
  const { random } = scene;
  const payer = await scene.payer();
  if (scene.isFull('topic')) return deleteTopic(scene);
  const adminKey = random.chance(0.7) ? scene.newKey() : undefined;
  const costs = random.chance(0.25);
  const { status, id } = await scene.submit({
    kind: 'consensusCreateTopic',
    payer,
    keys: adminKey ? [encodeKey(adminKey)] : [],
    data: {
      memo: random.pick(['', 'announcements', 'telemetry']),
      adminKey,
      submitKey: random.chance(0.3) ? scene.newKey() : undefined,
      feeScheduleKey: random.chance(0.3) ? scene.newKey() : undefined,
      autoRenewPeriod: duration(7_776_000n),
      autoRenewAccount: adminKey && random.chance(0.5) ? accountId(payer) : undefined,
      customFees: costs
        ? [{ fixedFee: { amount: toLong(tinybarPerHbar / 100n) }, feeCollectorAccountId: accountId(payer) }]
        : [],
    },
  });
  if (status === 'SUCCESS') scene.enlist('topic', id);
}

export async function submitMessage(scene: Scene): Promise<void> {
  const { random } = scene;
  if (scene.cast('topic').length < 2) return createTopic(scene);
  const topic = scene.ledger.tables.topics.get(random.pick(scene.cast('topic')))!;
  const payer = await scene.payer();
  const limited = topic.customFees.length > 0 || random.chance(0.1);
  const coins = scene.cast('fungible').slice(0, 1);
  await scene.submit({
    kind: 'consensusSubmitMessage',
    payer,
    keys: topic.submitKey ? [topic.submitKey] : [],
    maxCustomFees: limited
      ? [
          {
            accountId: accountId(payer),
            fees: [
              { amount: toLong(random.chance(0.85) ? tinybarPerHbar : 5n) },
              ...coins.map((token) => ({ amount: toLong(7n), denominatingTokenId: tokenId(token) })),
            ],
          },
        ]
      : undefined,
    data: {
      topicID: topicId(topic.id),
      message: Buffer.from(JSON.stringify({ at: String(scene.now()), value: random.below(1000) })),
    },
  });
}

export async function updateTopic(scene: Scene): Promise<void> {
  const [topic] = administeredTopics(scene);
  if (!topic) return createTopic(scene);
  const data = { topicID: topicId(topic.id), memo: { value: 'moved' } };
  await scene.submit({ kind: 'consensusUpdateTopic', payer: await scene.payer(), keys: [topic.adminKey!], data });
}

async function deleteTopic(scene: Scene): Promise<void> {
  const id = scene.victimFrom(
    administeredTopics(scene).map((topic) => topic.id),
    0,
  );
  if (id === undefined) return submitMessage(scene);
  const topic = scene.ledger.tables.topics.get(id)!;
  const data = { topicID: topicId(topic.id) };
  const { status } = await scene.submit({
    kind: 'consensusDeleteTopic',
    payer: await scene.payer(),
    keys: [topic.adminKey!],
    data,
  });
  if (status === 'SUCCESS') scene.dismiss('topic', topic.id);
}

function administeredTopics(scene: Scene) {
  return scene
    .cast('topic')
    .map((id) => scene.ledger.tables.topics.get(id)!)
    .filter(({ adminKey }) => adminKey);
}
