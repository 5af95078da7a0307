// A check of the record of another explorer, as the routes of both APIs are asked for it.
import type { FastifyRequest } from 'fastify';
import { optionalText, readBody, requireChainId, requireText } from './read-body.ts';

export type RecordRequest = { chainId: string; address: string; apiKey: string | undefined };

export async function readRecordRequest(request: FastifyRequest): Promise<RecordRequest> {
  const members = await readBody(request);
  const address = requireText(members, 'address');
  const chainId = requireChainId(members, request.isMultipart());
  return { chainId, address, apiKey: optionalText(members, 'apiKey') || undefined };
}
