// `/proof`: proofs of items are checked in the visitor's browser (docs/reference/proof-documents.md).
import type { SharedPages } from '../../frame/shared-pages.ts';
import { offlineScriptPath, proofPath, readBrowserFiles } from './browser-files.ts';
import { formatProofPage, proofPolicy } from './proof-page.ts';

const scriptType = 'text/javascript; charset=utf-8';
/** Asked for again each time: all files are of one version. */
const answer = { status: 200, cacheControl: 'no-cache', contentSecurityPolicy: proofPolicy };

export function addProofRoutes(pages: SharedPages): void {
  const { scripts, sources, offlineScript } = readBrowserFiles(formatProofPage);
  const add = (path: string, body: string, contentType: string): void =>
    pages.add(path, 'program', async () => ({ ...answer, body, contentType }));
  add(proofPath, formatProofPage(sources), 'text/html; charset=utf-8');
  add(offlineScriptPath, offlineScript, scriptType);
  for (const [path, text] of scripts) add(path, text, scriptType);
  for (const [name, text] of sources) add(`${proofPath}/source/${name}`, text, 'text/plain; charset=utf-8');
}
