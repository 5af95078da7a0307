// A call of Etherscan's API as named texts. Clients give them in the query, as a form of either kind or as JSON, and
// often in two of these at once: the query comes first, and of equal names the first one counts.
import type { FastifyRequest } from 'fastify';
import { isJsonObject } from '../../kit/is-json-object.ts';
import { MalformedBody } from '../http/verification-error-body.ts';
import { VerificationError } from '../terms/verification-error.ts';

/** A map: names such as `__proto__` mean nothing. */
export type CallMembers = ReadonlyMap<string, string>;

/** More than verifysourcecode with ten libraries has. */
const maxMembers = 60;
const maxSourceLength = 10_000_000;
/** Of every other value: arguments of constructors can be long. */
const maxValueLength = 200_000;

export async function readCall(request: FastifyRequest): Promise<CallMembers> {
  const members = new Map<string, string>();
  const add = (name: string, value: string): void => {
    if (members.size >= maxMembers) throw invalid(`Error! More than ${maxMembers} parameters`);
    const limit = name === 'sourceCode' ? maxSourceLength : maxValueLength;
    if (value.length > limit) {
      throw new VerificationError('body_too_large', `Error! ${name.slice(0, 50)} has more than ${limit} characters`);
    }
    if (!members.has(name)) members.set(name, value);
  };
  for (const [name, value] of queryOf(request)) add(name, value);
  if (request.isMultipart()) await readParts(request, add);
  else if (typeof request.body === 'string') for (const [name, value] of readForm(request.body)) add(name, value);
  else if (isJsonObject(request.body)) {
    for (const [name, value] of Object.entries(request.body)) add(name, toText(name, value));
  } else if (request.body !== undefined && request.body !== null) {
    throw new MalformedBody({ path: '/body', message: 'must be object', code: 'type' });
  }
  return members;
}

/** Whether a GET means the API: other requests to the same path want a page. */
export function hasCall(request: FastifyRequest): boolean {
  return queryOf(request).has('module');
}

function queryOf({ raw }: FastifyRequest): URLSearchParams {
  const mark = raw.url!.indexOf('?');
  return readForm(mark < 0 ? '' : raw.url!.slice(mark + 1));
}

/** Counted before it is taken apart: a body of separators would become millions of names. */
function readForm(text: string): URLSearchParams {
  let at = -1;
  for (let separators = 0; separators <= maxMembers; separators++) {
    at = text.indexOf('&', at + 1);
    if (at < 0) return new URLSearchParams(text);
  }
  throw invalid(`Error! More than ${maxMembers} parameters`);
}

async function readParts(request: FastifyRequest, add: (name: string, value: string) => void): Promise<void> {
  const limits = { fields: maxMembers, files: 1, parts: maxMembers + 1, fieldSize: maxSourceLength };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') throw invalid(`Error! ${part.fieldname.slice(0, 50)} must be a text, not a file`);
      if (part.valueTruncated) throw new VerificationError('body_too_large', 'Error! A field of the form is too long');
      add(part.fieldname, String(part.value));
    }
  } catch (error) {
    if (error instanceof VerificationError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw invalid('Error! The form cannot be read: it is cut short or has no right boundary');
  }
}

/** Clients that speak JSON give numbers as numbers, and some the standard JSON as an object. */
function toText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (name === 'sourceCode' && isJsonObject(value)) return JSON.stringify(value);
  throw invalid(`Error! ${name.slice(0, 50)} must be a text`);
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
