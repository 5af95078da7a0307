// The form of an answer beyond the members of its body: content type, tag, and the body of an error.
import { hash } from 'node:crypto';
import { type RequestError, textOf } from './request-error.ts';

export type AnswerShapes = {
  /** Of JSON. */
  contentType: string;
  /** null = none. */
  formatEntityTag(body: Buffer, status: number): string | null;
  formatErrorBody(error: RequestError): string;
  /** Whether a 304 has the `Vary` of the answer that it replaces. */
  variesUnchanged: boolean;
  /** Whether errors of an endpoint may be cached as long as its answers. */
  cachesErrors: boolean;
};

export const plainShapes: AnswerShapes = {
  contentType: 'application/json; charset=utf-8',
  // Weak: length in hex and the first 27 characters of the base64 SHA-1, whether or not the body is sent compressed.
  formatEntityTag: (body) => `W/"${body.length.toString(16)}-${hash('sha1', body, 'base64').slice(0, 27)}"`,
  formatErrorBody: ({ found }) =>
    JSON.stringify({
      _status: { messages: found.map((refusal) => ({ message: textOf(refusal), detail: refusal.data?.detail })) },
    }),
  variesUnchanged: true,
  cachesErrors: false,
};
