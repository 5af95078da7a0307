// How a check goes that a visitor started on the page of a contract.

import { html, type Markup } from '../../../../packages/kit/markup.ts';
import { decodeEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { fromLongZeroAddress, isLongZeroAddress } from '../../../../packages/protocol/hapi/evm-address.ts';
import { toHex } from '../../../../packages/verification/terms/hex.ts';
import type { VerificationJob } from '../../../../packages/verification/verification-jobs.ts';
import type { VerifiedSources } from '../../../../packages/verification/verified-sources.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { PageRequest } from '../../page/page.ts';
import { badge } from '../../parts/badge.ts';
import { foreignBlock } from '../../parts/foreign-text.ts';
import { section } from '../../parts/section.ts';
import type { ShownContract } from '../about/find-contract.ts';
import { creationWords, runtimeWords } from './match-words.ts';

const maxMessage = 4_000;

/** Of the parameter `job`; null = none is asked. Throws RequestError. */
export async function findJob(
  sources: VerifiedSources | null,
  shown: ShownContract,
  { queryText }: Pick<PageRequest, 'queryText'>,
): Promise<VerificationJob | null> {
  const id = new URLSearchParams(queryText).get('job');
  if (id === null) return null;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw refuse('invalidParameter', { name: 'job' });
  const job = sources && (await sources.findJob(id.toLowerCase()));
  if (!job || !isOf(job, shown)) throw refuse('notFound');
  return job;
}

function isOf({ address }: VerificationJob, shown: ShownContract): boolean {
  if (toHex(address) === shown.address) return true;
  return isLongZeroAddress(address) && fromLongZeroAddress(address) === decodeEntityId(shown.id).num;
}

export function isRunning({ finishedAt }: VerificationJob): boolean {
  return finishedAt === null;
}

/** `refreshSeconds`: after which the page asks again. */
export function jobSection(job: VerificationJob, refreshSeconds: number): Markup {
  return section({ id: 'job', title: 'Your check' }, showState(job, refreshSeconds));
}

function showState(job: VerificationJob, refreshSeconds: number): Markup {
  const { error, outcome } = job;
  if (isRunning(job)) {
    return html`<p role="status">${badge('plain', 'Waiting or running')} The sources are compiled and compared. This page asks again every ${refreshSeconds} seconds.</p>`;
  }
  if (error !== null) {
    return html`<p role="status">${badge('bad', 'Not verified')}</p>
${foreignBlock(error.message, { max: maxMessage })}`;
  }
  const isExact = outcome?.runtimeMatch === 'perfect' || outcome?.creationMatch === 'perfect';
  return html`<p role="status">${badge('good', isExact ? 'Verified: exact match' : 'Verified: match')} ${runtimeWords(outcome?.runtimeMatch ?? null)} ${creationWords(outcome?.creationMatch ?? null)}</p>`;
}
