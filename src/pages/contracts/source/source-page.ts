// `/{network}/contract/:contractId/source`: the checked sources of a contract, or how it gets some.

import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import type { FoundContract } from '../../../../packages/verification/contract-lookup.ts';
import type { VerificationJob } from '../../../../packages/verification/verification-jobs.ts';
import type { VerifiedSources } from '../../../../packages/verification/verified-sources.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import { link } from '../../page/links.ts';
import type { Page, PageContent, PageRequest } from '../../page/page.ts';
import type { PageContext } from '../../page/page-context.ts';
import { section } from '../../parts/section.ts';
import { behind, contractHeading } from '../about/contract-heading.ts';
import { contractName, contractPath, findContract, type ShownContract } from '../about/find-contract.ts';
import { findJob, isRunning, jobSection } from './job-section.ts';
import { sourceFacts } from './source-facts.ts';
import { fileSection, filesSection, findFile, findFiles } from './source-files.ts';
import { uploadForm, withoutSourcesSections } from './upload-form.ts';

export const sourcePage: Page = {
  path: '/contract/:contractId/source',
  async ask(request, context) {
    const shown = await findContract(context, request);
    const { sources } = context;
    // A check that has ended has stored its match before.
    const job = await findJob(sources, shown, request);
    const checked = await findChecked(sources, shown);
    const content = checked ? await showSources(shown, checked, request, context) : withoutSources(shown, context);
    return withJob(content, shown, job, context);
  },
};

/** One file as it is. */
export const sourceTextPage: Page = {
  path: '/contract/:contractId/source/text',
  async ask(request, context) {
    const path = new URLSearchParams(request.queryText).get('file');
    if (path === null) throw refuse('invalidParameter', { name: 'file' });
    const shown = await findContract(context, request);
    const checked = await findChecked(context.sources, shown);
    const file = checked && (await findFile(checked.sources, checked.found, path));
    if (file === null) throw refuse('notFound');
    return { text: file.content };
  },
};

type Checked = { sources: VerifiedSources; found: FoundContract };

/** A minimal proxy was written as what it forwards to. null = nothing was checked. */
async function findChecked(
  sources: VerifiedSources | null,
  { address, proxy }: ShownContract,
): Promise<Checked | null> {
  if (sources === null) return null;
  const implementation = proxy?.kind === 'eip1167' ? proxy.implementations[0]!.address.toLowerCase() : null;
  const found = (await sources.find(address)) ?? (implementation && (await sources.find(implementation)));
  return found ? { sources, found } : null;
}

async function showSources(
  shown: ShownContract,
  { sources, found }: Checked,
  request: PageRequest,
  context: PageContext,
): Promise<SourceContent> {
  const { links } = context;
  const compilation = await sources.compilation(found);
  if (compilation === null) throw refuse('notFound');
  const path = `${contractPath(context, shown)}/source`;
  const mainFile = compilation.fullyQualifiedName.slice(0, -compilation.name.length - 1);
  const files = await findFiles(sources, found, mainFile, request);
  const immutables = await sources.immutables(found);
  const abi = shown.abi?.own?.abi ?? behind(shown.proxy)?.abi ?? null;
  const { runtimeMatch, creationMatch } = found.contract;
  const isExact = runtimeMatch === 'perfect' && creationMatch === 'perfect';
  const whole = `/v2/contract/${sources.chainId}/${shown.address}`;
  return {
    title: `Source of contract ${contractName(shown)}`,
    below: html`<div class="grid">
${section({ id: 'check', title: 'How it was checked' }, sourceFacts(found, compilation, { abi, immutables, links }))}
<div>
${filesSection(path, files)}
${section({ id: 'documents', title: 'For programs' }, documents(whole, compilation.hasMetadata))}
</div>
</div>
${files.file === null ? null : fileSection(path, files.file, compilation.language, request)}
${isExact || !sources.takesSources ? null : section({ id: 'upload', title: 'Hand in better sources' }, html`<details><summary>These match, but not exactly: show the form</summary>${uploadForm(path)}</details>`)}`,
    json: `${whole}?fields=all`,
  };
}

function documents(whole: string, hasMetadata: boolean): Markup {
  const list: readonly (readonly [field: string, text: string])[] = [
    ['abi', 'ABI'],
    ['stdJsonInput', "The compiler's input, sources and settings (standard JSON)"],
    ...(hasMetadata ? [['metadata', 'Metadata of the compiler'] as const] : []),
    ['storageLayout', 'Where variables lie in storage'],
  ];
  return html`<ul class="lines">${list.map(([field, text]): MarkupValue => html`<li>${link(`${whole}?fields=${field}`, text)}</li>`)}</ul>`;
}

type SourceContent = Omit<PageContent, 'main'> & { below: Markup };

const refreshSeconds = 3;

function withJob(
  { below, ...content }: SourceContent,
  shown: ShownContract,
  job: VerificationJob | null,
  { links }: PageContext,
): PageContent {
  const main = html`${contractHeading(shown, 'source', links)}
${job === null ? null : jobSection(job, refreshSeconds)}
${below}`;
  if (job === null) return { ...content, main };
  const json = `/v2/verify/${job.id}`;
  return { ...content, main, json, ...(isRunning(job) ? { refreshSeconds } : {}) };
}

function withoutSources(shown: ShownContract, context: PageContext): SourceContent {
  return {
    title: `Source of contract ${contractName(shown)}`,
    below: withoutSourcesSections(shown, `${contractPath(context, shown)}/source`, context.sources),
    json: null,
  };
}
