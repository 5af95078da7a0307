// Answers as the mirror node's Java sends them: a strong tag, errors with the kind in `message` and the reason in
// `detail`, which may be cached as long as the endpoint's answers.
import { hash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { AnswerShapes } from '../../../packages/web-server/answer-shapes.ts';
import { type Refusal, type RequestError, textOf } from '../../../packages/web-server/request-error.ts';
import type { JavaReading } from '../reading/query/dialect.ts';

export function createJavaShapes(reading: JavaReading): AnswerShapes {
  return {
    contentType: 'application/json;charset=UTF-8',
    formatEntityTag: (body, status) => (status < 300 ? `"0${hash('md5', body)}"` : null),
    formatErrorBody({ status, found }) {
      const messages = found.map((refusal) =>
        reading === 'object' && ofValues.has(refusal.code)
          ? { message: `Invalid parameter: ${refusal.data!.name}` }
          : { detail: toDetail(refusal, status), message: STATUS_CODES[status]! },
      );
      return JSON.stringify({ _status: { messages } });
    },
    variesUnchanged: false,
    cachesErrors: true,
  };
}

const ofValues: ReadonlySet<Refusal['code']> = new Set([
  'invalidParameter',
  'limitTooSmall',
  'limitTooLarge',
  'tooManyConditions',
]);

function toDetail(refusal: Refusal, status: RequestError['status']): string {
  if (status >= 500 && status !== 501) return '';
  if (refusal.code === 'invalidParameter') return `Failed to convert '${refusal.data!.name}'`;
  return String(refusal.data?.sentence ?? textOf(refusal));
}
