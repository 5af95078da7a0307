// Bodies of the verification routes as plain members, whether they came as JSON or as a form. Values are checked by name,
// in the order of the documents that clients know.
import type { FastifyRequest } from 'fastify';
import { VerificationError } from '../../verification/terms/verification-error.ts';
import { MalformedBody } from './verification-error-body.ts';

export type BodyMembers = Record<string, unknown>;

export async function readBody(request: FastifyRequest): Promise<BodyMembers> {
  if (request.isMultipart()) return readForm(request);
  const { body } = request;
  // Without a content type there is no body either: Fastify has refused types that are not known.
  if (body === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new MalformedBody({ path: '/body', message: 'must be object', code: 'type' });
  }
  return body as BodyMembers;
}

async function readForm(request: FastifyRequest): Promise<BodyMembers> {
  const members: BodyMembers = {};
  try {
    for await (const part of request.parts()) {
      // Files have no meaning here; they are read past.
      if (part.type === 'file') part.file.resume();
      else if (!Object.hasOwn(members, part.fieldname)) {
        if (part.valueTruncated)
          throw new VerificationError('body_too_large', `The form field ${part.fieldname} is too long.`);
        members[part.fieldname] = String(part.value);
      }
    }
  } catch (error) {
    if (error instanceof VerificationError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new VerificationError(
      'invalid_parameter',
      'The form cannot be read: it is cut short or has no right boundary.',
    );
  }
  return members;
}

export function requireText(members: BodyMembers, name: string): string {
  const value = members[name];
  if (value === undefined) throw missing(name);
  if (typeof value !== 'string')
    throw new MalformedBody({ path: `/body/${name}`, message: 'must be string', code: 'type' });
  return value;
}

export function optionalText(members: BodyMembers, name: string): string | undefined {
  return members[name] === undefined ? undefined : requireText(members, name);
}

export function requireObject(members: BodyMembers, name: string): BodyMembers {
  const value = members[name];
  if (value === undefined) throw missing(name);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new MalformedBody({ path: `/body/${name}`, message: 'must be object', code: 'type' });
  }
  return value as BodyMembers;
}

/** `chainId`, or `chain` as old forms say; a number or 0x-hex is taken for the decimal text that it means. */
export function requireChainId(members: BodyMembers, isForm: boolean): string {
  const { chainId = members.chain } = members;
  if (chainId === undefined) throw missing(isForm ? 'chain' : 'chainId');
  if (typeof chainId === 'number' && Number.isSafeInteger(chainId)) return String(chainId);
  if (typeof chainId !== 'string') {
    throw new MalformedBody({ path: '/body/chainId', message: 'must be string', code: 'type' });
  }
  return /^0x[0-9a-f]{1,15}$/i.test(chainId) ? BigInt(chainId).toString() : chainId;
}

function missing(name: string): MalformedBody {
  return new MalformedBody({
    path: `/body/${name}`,
    message: `must have required property '${name}'`,
    code: 'required',
  });
}
