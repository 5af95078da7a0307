// How the text of a timestamp is read: seconds since 1970 with up to nine digits after the dot.
import type { TimestampForm } from '../query/dialect.ts';

const nanosecondsPerSecond = 1_000_000_000n;

/** The digits after the dot are a fraction: 1.5 is a second and a half. */
export const paddedTimestamp = createTimestampForm(/^(\d{1,10})(?:\.(\d{1,9}))?$/, (digits) => digits.padEnd(9, '0'));

const maxInt64 = 2n ** 63n - 1n;

const unpadded = createTimestampForm(/^(\d{1,17})(?:\.(\d{1,9}))?$/, (digits) => digits);

/** The digits after the dot are a number of nanoseconds: 1.5 is a second and five nanoseconds. All fit into int64. */
export const unpaddedTimestamp: TimestampForm = {
  form: unpadded.form,
  read(text) {
    const time = unpadded.read(text);
    return time !== undefined && time > maxInt64 ? undefined : time;
  },
};

function createTimestampForm(form: RegExp, toNanoseconds: (digits: string) => string): TimestampForm {
  return {
    form,
    read(text) {
      const match = form.exec(text);
      if (!match) return undefined;
      return BigInt(match[1]!) * nanosecondsPerSecond + BigInt(toNanoseconds(match[2] ?? '') || '0');
    },
  };
}
