// Errors of calls: each message has the name of the status, the reason that a contract gave, and what it reverted with.
import { STATUS_CODES } from 'node:http';
import { type AnswerShapes, plainShapes } from '../../../../packages/web-server/answer-shapes.ts';
import { type Refusal, textOf } from '../../../../packages/web-server/request-error.ts';

export const callShapes: AnswerShapes = {
  ...plainShapes,
  contentType: 'application/json',
  formatErrorBody: ({ found, status }) =>
    JSON.stringify({ _status: { messages: found.map((refusal) => toMessage(refusal, status)) } }),
};

/** What an operator's log says, and no client. */
const silent: ReadonlySet<Refusal['code']> = new Set(['internal', 'unavailable']);

function toMessage(refusal: Refusal, status: number) {
  const { code, data = {} } = refusal;
  if (code === 'callFailed') return { message: data.message, detail: data.detail ?? '', data: data.data ?? '' };
  return {
    message: STATUS_CODES[status],
    detail: silent.has(code) ? '' : String(data.sentence ?? textOf(refusal)),
    data: '',
  };
}
