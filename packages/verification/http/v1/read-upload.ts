// A request of Sourcify's first API: named texts, and files by their names, from JSON or a form. However it is divided,
// it has no more bytes and files than a limit.

import type { FastifyRequest } from 'fastify';
import { isJsonObject } from '../../../kit/is-json-object.ts';
import type { InputFile } from '../../metadata/sort-files.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import { sourcesBody } from '../body-limits.ts';
import { type BodyMembers, wrongType } from '../read-body.ts';

export type Upload = {
  members: BodyMembers;
  /** null = the request has no member `files`. */
  files: InputFile[] | null;
  isForm: boolean;
};

const maxFiles = 1000;
const maxNameLength = 1024;

export async function readUpload(request: FastifyRequest): Promise<Upload> {
  return request.isMultipart() ? readForm(request) : toUpload(request.body);
}

/** `body`: JSON as parsed. */
export function toUpload(body: unknown): Upload {
  if (!isJsonObject(body)) throw wrongType('/body', 'object');
  const { files, ...members } = body;
  if (files === undefined) return { members, files: null, isForm: false };
  if (!isJsonObject(files)) throw wrongType('/body/files', 'object');
  const named = Object.entries(files);
  if (named.length > maxFiles) throw tooManyFiles();
  return { members, files: named.map(([path, content]) => toFile(path, content)), isForm: false };
}

function toFile(path: string, content: unknown): InputFile {
  assertName(path);
  if (typeof content !== 'string') throw wrongType(`/body/files/${path.slice(0, 200)}`, 'string');
  return { path, content };
}

async function readForm(request: FastifyRequest): Promise<Upload> {
  const upload: Upload = { members: {}, files: null, isForm: true };
  let bytes = 0;
  const limits = { fields: 20, files: maxFiles, parts: maxFiles + 20, fileSize: sourcesBody, fieldSize: sourcesBody };
  try {
    for await (const part of request.parts({ limits })) {
      const isField = part.type === 'field';
      const content = isField ? String(part.value) : (await part.toBuffer()).toString('utf8');
      bytes += content.length;
      if (bytes > sourcesBody || (isField && part.valueTruncated)) throw tooLarge();
      if (part.fieldname === 'files') {
        const path = isField ? `file-${upload.files?.length ?? 0}` : (part.filename ?? 'file');
        assertName(path);
        upload.files = [...(upload.files ?? []), { path, content }];
      } else if (isField && !Object.hasOwn(upload.members, part.fieldname)) upload.members[part.fieldname] = content;
    }
  } catch (error) {
    if (error instanceof VerificationError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    const message = 'The form cannot be read: it is cut short or has no right boundary.';
    throw new VerificationError('invalid_parameter', message);
  }
  return upload;
}

function assertName(path: string): void {
  if (path.length <= maxNameLength && path !== '__proto__' && path.isWellFormed() && !path.includes('\0')) return;
  const message = `${JSON.stringify(path.slice(0, 80))} is no name for a file.`;
  throw new VerificationError('invalid_parameter', message);
}

function tooManyFiles(): VerificationError {
  return new VerificationError('body_too_large', `A request may have at most ${maxFiles} files.`);
}

function tooLarge(): VerificationError {
  return new VerificationError('body_too_large', `The files of a request may have at most ${sourcesBody} bytes.`);
}
