// Turns a route's result or error into an answer, in one place: refusals as they are, a failed query as 503, everything
// else as 500 with the reason only in the log.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { isOverload } from '../kit/shares/cause.ts';
import type { Outcome } from '../kit/shares/client-outcomes.ts';
import { type AnswerShapes, plainShapes } from './answer-shapes.ts';
import { makeReady, type ReadyAnswer } from './ready-answer.ts';
import { RequestError, toRequestError } from './request-error.ts';
import { toRequestId } from './request-id.ts';
import { typedTargetOf } from './request-target.ts';
import type { Answer } from './route.ts';
import { type LongWrites, writeAnswer, writeReady } from './write-answer.ts';

export type Responder = {
  /** Never rejects, whatever `ask` throws. */
  respond(request: FastifyRequest, reply: FastifyReply, ask: () => Promise<Answer>, form?: AnswerForm): Promise<void>;
  /** The same with an answer that others may get, too. */
  respondReady(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: ReadyAnswer | (() => Promise<ReadyAnswer>),
    form?: AnswerForm,
  ): Promise<void>;
};

export type AnswerForm = {
  shapes: AnswerShapes;
  /** Of errors. */
  cacheControl?: string | undefined;
  /** Of errors. */
  contentSecurityPolicy?: string;
  /** Whether "not found" has the note about the stored part of the ledger. */
  tellsExtent?: boolean;
};

/** What is added to the sentence of "not found"; null = nothing. */
export type NotFoundNote = () => Promise<string | null>;

const plainForm: AnswerForm = { shapes: plainShapes };

/** `note`: added if an endpoint does not find its object, in forms that allow it. `long`: see `writeReady`. */
export function createResponder(
  log: FastifyBaseLogger,
  note: NotFoundNote | null = null,
  long?: LongWrites,
): Responder {
  // Refusals for lack of time are thousands a second: made once for each form and status.
  const refusals = new Map<AnswerForm, Map<string, ReadyAnswer>>();

  return {
    async respond(request, reply, ask, form = plainForm) {
      try {
        await writeReady(request, reply, makeReady(await ask(), form.shapes), long);
      } catch (error) {
        await respondError(error, request, reply, form);
      }
    },
    async respondReady(request, reply, answer, form = plainForm) {
      try {
        await writeReady(request, reply, typeof answer === 'function' ? await answer() : answer, long);
      } catch (error) {
        await respondError(error, request, reply, form);
      }
    },
  };

  async function respondError(
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    form: AnswerForm,
  ): Promise<void> {
    reply.refusedAs = outcomeOf(error);
    if (isOverload(error)) return writeReady(request, reply, toRefusal(error, request, form));
    await writeAnswer(request, reply, toErrorAnswer(await withNote(error, form), request, form), form.shapes);
  }

  function toRefusal(error: unknown, request: FastifyRequest, form: AnswerForm): ReadyAnswer {
    const text = toRequestError(error).message;
    const ofForm = refusals.get(form) ?? new Map<string, ReadyAnswer>();
    refusals.set(form, ofForm);
    const refusal = ofForm.get(text) ?? makeReady(toErrorAnswer(error, request, form), form.shapes);
    ofForm.set(text, refusal);
    return refusal;
  }

  async function withNote(error: unknown, form: AnswerForm): Promise<unknown> {
    if (!note || !form.tellsExtent || !(error instanceof RequestError) || error.status !== 404) return error;
    // Without the database there is no note, and the answer is still right.
    const detail = await note().catch(() => null);
    return detail === null
      ? error
      : new RequestError(error.found.map(({ code, data }) => ({ code, data: { detail, ...data } })));
  }

  function toErrorAnswer(
    error: unknown,
    { method, raw }: FastifyRequest,
    { shapes, cacheControl, contentSecurityPolicy }: AnswerForm,
  ): Answer {
    const refusal = toRequestError(error);
    const { status, retryAfterSeconds } = refusal;
    const isFailure = status >= 500 && status !== notImplemented && !isReported(refusal);
    const requestId = isFailure ? toRequestId(raw.headers) : undefined;
    if (isFailure) log.error({ err: error, status, method, url: typedTargetOf(raw), requestId }, 'Request failed');
    const body = shapes.formatErrorBody(refusal);
    const policy = contentSecurityPolicy === undefined ? {} : { contentSecurityPolicy };
    return { status, body, cacheControl, ...policy, retryAfterSeconds, requestId };
  }
}

/** An ordinary answer: nothing failed. */
const notImplemented = 501;

/** Refusals for lack of time are counted by metrics; a lost thread is in the log already. */
function isReported(refusal: RequestError): boolean {
  return isOverload(refusal) || refusal.found[0]!.code === 'callLost';
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof RequestError) return error.outcome;
  return isOverload(error) ? 'refused' : 'failed';
}
