// What a block publishes of its ledger's id: what can be read, and what cannot.
import { ProofRefusal, type Refusal } from '../../../packages/proof/proof-refusal.ts';
import { type Publication, readPublication } from '../../../packages/proof/publication.ts';

/** A message that cannot be trusted, or not be read: its form may be one of a later version. */
export type UnreadMessage = { content: Uint8Array; refusal: Refusal };

export type ReadPublications = { publications: Publication[]; unread: UnreadMessage[]; problems: string[] };

export function readPublications(contents: readonly Uint8Array[]): ReadPublications {
  const read: ReadPublications = { publications: [], unread: [], problems: [] };
  for (const content of contents) {
    try {
      read.publications.push(readPublication(content));
    } catch (error) {
      if (!(error instanceof ProofRefusal)) throw error;
      read.unread.push({ content, refusal: error.refusal });
      read.problems.push(`a ledger id was published that cannot be trusted: ${error.message}`);
    }
  }
  return read;
}

/** It may be good, and this version cannot tell. */
export const isUnknownForm = ({ refusal }: UnreadMessage): boolean => refusal.check === 'unknownForm';
