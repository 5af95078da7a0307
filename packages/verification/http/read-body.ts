// Bodies of the verification routes as plain members, from JSON or a form. Values are checked in the documented order.
import type { FastifyRequest } from 'fastify';
import { isJsonObject } from '../../kit/is-json-object.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { MalformedBody } from './verification-error-body.ts';

export type BodyMembers = Record<string, unknown>;

export async function readBody(request: FastifyRequest): Promise<BodyMembers> {
  if (request.isMultipart()) return readForm(request);
  const { body } = request;
  // Without a content type there is no body either: Fastify has refused unknown types.
  if (isJsonObject(body)) return body;
  throw wrongType('/body', 'object');
}

async function readForm(request: FastifyRequest): Promise<BodyMembers> {
  const members: BodyMembers = {};
  try {
    for await (const part of request.parts()) {
      // Files have no meaning here and are skipped.
      if (part.type === 'file') part.file.resume();
      else if (!Object.hasOwn(members, part.fieldname)) {
        if (part.valueTruncated)
          throw new VerificationError('body_too_large', `The form field ${part.fieldname} is too long.`);
        members[part.fieldname] = String(part.value);
      }
    }
  } catch (error) {
    if (error instanceof VerificationError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    const message = 'The form cannot be read: it is cut short or has no right boundary.';
    throw new VerificationError('invalid_parameter', message);
  }
  return members;
}

export function requireText(members: BodyMembers, name: string, place = '/body'): string {
  const value = requireMember(members, name, place);
  if (typeof value === 'string') return value;
  throw wrongType(`${place}/${name}`, 'string');
}

export function optionalText(members: BodyMembers, name: string): string | undefined {
  return members[name] === undefined ? undefined : requireText(members, name);
}

export function requireObject(members: BodyMembers, name: string): BodyMembers {
  const value = requireMember(members, name, '/body');
  if (isJsonObject(value)) return value;
  throw wrongType(`/body/${name}`, 'object');
}

/** `chainId`, or `chain` in old forms; a number or 0x-hex becomes decimal text. */
export function requireChainId(members: BodyMembers, isForm: boolean): string {
  const { chainId = members.chain } = members;
  if (chainId === undefined) requireMember({}, isForm ? 'chain' : 'chainId', '/body');
  if (typeof chainId === 'number' && Number.isSafeInteger(chainId)) return String(chainId);
  if (typeof chainId !== 'string') throw wrongType('/body/chainId', 'string');
  return /^0x[0-9a-f]{1,15}$/i.test(chainId) ? BigInt(chainId).toString() : chainId;
}

function requireMember(members: BodyMembers, name: string, place: string): unknown {
  if (members[name] !== undefined) return members[name];
  const message = `must have required property '${name}'`;
  throw new MalformedBody({ path: `${place}/${name}`, message, code: 'required' });
}

export function wrongType(path: string, type: 'object' | 'string'): MalformedBody {
  return new MalformedBody({ path, message: `must be ${type}`, code: 'type' });
}
