// Values of messages as the tables keep them. null: the message does not mention it.
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';

export const emptyBytes: Uint8Array = new Uint8Array(0);

/** null for empty bytes: a field of bytes that a message leaves out is decoded as an empty one. */
export function nonEmpty(bytes: Uint8Array | null | undefined): Uint8Array | null {
  return bytes && bytes.length > 0 ? bytes : null;
}

/** PostgreSQL refuses NUL in text: it becomes U+FFFD. */
export function toStoredText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** Of an update, where text has a message around it. */
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

/** A log topic without its leading zero bytes; a topic of zeros only keeps one. null stays null. */
export function trimTopic(topic: Uint8Array | undefined): Uint8Array | null {
  if (!topic) return null;
  let start = 0;
  while (start < topic.length - 1 && topic[start] === 0) start += 1;
  return topic.subarray(start);
}

/** A value without its leading zero bytes; one of zeros only is empty. */
export function trimWord(value: Uint8Array): Uint8Array {
  const start = value.findIndex((byte) => byte !== 0);
  return start < 0 ? emptyBytes : value.subarray(start);
}

/** 32 bytes; longer ones stay as they are. */
export function padWord(value: Uint8Array): Uint8Array {
  if (value.length >= 32) return value;
  const padded = new Uint8Array(32);
  padded.set(value, 32 - value.length);
  return padded;
}
