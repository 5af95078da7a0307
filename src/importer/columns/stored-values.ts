// Values of messages in their stored form. null: not set by the message.
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';

export const emptyBytes: Uint8Array = new Uint8Array(0);

/** null for empty bytes: an absent field of bytes is decoded as an empty one. */
export function nonEmpty(bytes: Uint8Array | null | undefined): Uint8Array | null {
  return bytes && bytes.length > 0 ? bytes : null;
}

/** PostgreSQL's texts cannot hold NUL: it becomes U+FFFD. */
export function toStoredText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** For an update, where text is wrapped in a message. */
export function changedText(text: { value?: string | null } | null | undefined): string | null {
  return text ? toStoredText(text.value ?? '') : null;
}

export function secondsOf(duration: proto.IDuration | null | undefined): bigint | null {
  return duration ? toBigInt(duration.seconds) : null;
}

/** ns. */
export function timestampOf(timestamp: proto.ITimestamp | null | undefined): bigint | null {
  return timestamp ? toTimestamp(timestamp) : null;
}

/** A log topic without leading zero bytes; a topic of zeros keeps one. null stays null. */
export function trimTopic(topic: Uint8Array | undefined): Uint8Array | null {
  if (!topic) return null;
  let start = 0;
  while (start < topic.length - 1 && topic[start] === 0) start += 1;
  return topic.subarray(start);
}

/** A value without leading zero bytes; zero is empty. */
export function trimWord(value: Uint8Array): Uint8Array {
  const start = value.findIndex((byte) => byte !== 0);
  return start < 0 ? emptyBytes : value.subarray(start);
}

/** Padded to 32 bytes; longer ones stay as they are. */
export function padWord(value: Uint8Array): Uint8Array {
  if (value.length >= 32) return value;
  const padded = new Uint8Array(32);
  padded.set(value, 32 - value.length);
  return padded;
}
