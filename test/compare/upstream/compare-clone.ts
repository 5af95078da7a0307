// A checkout of the Hiero consensus node or mirror node against this program: what either has and the other has not.
import { parse } from 'yaml';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../../src/api/dialect/find-dialect.ts';
import { createApiDocument } from '../../../src/server/document/api-document.ts';
import { compareDocuments } from './compare-documents.ts';
import { compareProtos, comparesProtos } from './compare-protos.ts';
import { readDocumentFacts } from './document-facts.ts';
import type { Finding } from './finding.ts';
import { readOurFacts } from './our-facts.ts';
import { readProtoFacts } from './proto-facts.ts';
import { readClone } from './read-clone.ts';

export type Comparison = {
  /** What was compared: files of the checkout. */
  compared: string[];
  /** Files that could not be read, and why. */
  unread: string[];
  findings: Finding[];
};

/** Throws if the folder has nothing to compare. */
export function compareClone(folder: string): Comparison {
  const clone = readClone(folder);
  const compared: string[] = [];
  const findings: Finding[] = [];
  const unread = clone.skipped.map((path) => `${path}: it is too large`);
  const theirs = readProtoFacts(clone.protos);
  unread.push(...theirs.unread);
  if (comparesProtos(theirs)) {
    compared.push(`${clone.protos.length} proto files`);
    findings.push(...compareProtos(theirs, readOurFacts()));
  }
  for (const { path, text } of clone.documents) {
    try {
      const facts = readDocumentFacts(parse(text, { maxAliasCount: 0 }));
      // Of another program, or of a part of it.
      if (![...facts.keys()].some((name) => name.includes('/api/v1/'))) continue;
      compared.push(path);
      findings.push(...compareDocuments(facts, ourDocument()));
    } catch (error) {
      unread.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (compared.length === 0) {
    throw new Error(
      `${folder} has no protos of transactions or blocks, and no API document: is it a checkout of the Hiero consensus node or mirror node?`,
    );
  }
  return { compared, unread, findings };
}

function ourDocument() {
  const document = createApiDocument({ dialect: findDialect('hiero'), settings: defaultHttpSettings });
  return readDocumentFacts(JSON.parse(JSON.stringify(document)));
}
