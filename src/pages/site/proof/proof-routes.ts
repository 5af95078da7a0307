// `/proof`: proofs of items are checked in the visitor's browser (docs/reference/proof-documents.md).
import type { SharedPages } from '../../../api/frame/shared-pages.ts';
import type { PageSite } from '../../frame/page-frame.ts';
import { offlineScriptPath, proofPath, proofStylePath, readBrowserFiles } from './browser-files.ts';
import { formatProofPage, proofPolicy } from './proof-page.ts';

const scriptType = 'text/javascript; charset=utf-8';
/** Asked for again each time: all files are of one version. */
const answer = { status: 200, cacheControl: 'no-cache', contentSecurityPolicy: proofPolicy };

export function addProofRoutes(pages: SharedPages, site: PageSite): void {
  const { scripts, sources, style, formatOfflineScript } = readBrowserFiles();
  const add = (path: string, contentType: string, make: () => string): void =>
    pages.add(path, 'program', async () => ({ ...answer, body: make(), contentType }));
  // Made when first asked for: by then it is known what else this port serves.
  const formatPage = () => formatProofPage(site, sources);
  add(proofPath, 'text/html; charset=utf-8', formatPage);
  add(proofStylePath, 'text/css; charset=utf-8', () => style);
  add(offlineScriptPath, scriptType, () => formatOfflineScript(formatPage()));
  for (const [path, text] of scripts) add(path, scriptType, () => text);
  for (const [name, text] of sources) add(`${proofPath}/source/${name}`, 'text/plain; charset=utf-8', () => text);
}
