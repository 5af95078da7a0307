// What the state of a network says of its hinTS keys: the construction that signs, and the one that will sign next.
import { createHash } from 'node:crypto';
import { toTimestampMessage } from '../../protocol/hapi/timestamp.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds, writeItem } from '../../streams/block-stream/block-item.ts';
import { joinFields } from './message-fields.ts';
import { updateSingleton } from './state-change.ts';

/** Numbers of the states; both have this value in SingletonUpdateChange. */
const states = { active: 38, next: 39 } as const;
const constructionValue = 14;

type Construction = {
  /** Counted from 0. */
  number: number;
  /** 1096 bytes. */
  key: Uint8Array;
  weights: readonly bigint[];
};

/** `construction` null: there is none. */
export function writeConstruction(
  time: bigint,
  state: keyof typeof states,
  construction: Construction | null,
): BlockStreamItem {
  const message = construction ? encodeConstruction(construction) : Buffer.alloc(0);
  const change = updateSingleton(states[state], constructionValue, message);
  return writeItem(itemKinds.stateChanges, joinFields([bytesField(1, toTimestampMessage(time)), change]));
}

function encodeConstruction({ number, key, weights }: Construction): Buffer {
  const rosterHash = (roster: number) => createHash('sha384').update(`roster ${roster}`).digest();
  const keys = messageField(1, [bytesField(1, aggregationKey(key)), bytesField(2, key)]);
  const parties = weights.map((weight, node) =>
    messageField(2, [intField(1, node), intField(2, node + 1), intField(3, weight)]),
  );
  return joinFields([
    intField(1, number + 1),
    bytesField(2, rosterHash(Math.max(0, number - 1))),
    bytesField(3, rosterHash(number)),
    messageField(6, [keys, ...parties]),
  ]);
}

/** Nothing reads it but the nodes. */
const aggregationKey = (key: Uint8Array): Buffer => createHash('sha512').update(key).digest();
