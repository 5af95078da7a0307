// What the page /proof loads, by path: its own scripts, the package that verifies, and what of @noble that imports. A
// closed set, read once. Browsers have no import map in workers, so that names of packages become paths.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { responseCode } from '../../../../packages/protocol/hapi/response-codes.ts';
import { transactionTypes } from '../../../../packages/protocol/hapi/transaction-types.ts';
import { scriptFile, styleFile } from '../../frame/page-files.ts';

export type BrowserFiles = {
  /** Text by path. */
  scripts: ReadonlyMap<string, string>;
  /** The package as it is, by name. */
  sources: ReadonlyMap<string, string>;
  style: string;
  /** Keeps the page, the style of all pages and these files for use without a network. `page`: the markup of /proof. */
  formatOfflineScript(page: string): string;
};

export const offlineScriptPath = '/proof-offline.js';
export const proofPath = '/proof';
export const proofStylePath = `${proofPath}/proof.css`;

const require = createRequire(import.meta.url);
const packageFolder = join(import.meta.dirname, '../../../../clients/verify-proof');
const ownFolder = join(import.meta.dirname, 'browser');
const ownScripts = ['page.js', 'check-worker.js', 'describe-item.js'];
const sourceNames = /[.](js|json|ts|md)$/;

let read: BrowserFiles | null = null;

export function readBrowserFiles(): BrowserFiles {
  read ??= readAll();
  return read;
}

function readAll(): BrowserFiles {
  const names = readdirSync(packageFolder).filter((name) => sourceNames.test(name));
  const sources = new Map(names.map((name) => [name, readFileSync(join(packageFolder, name), 'utf8')]));
  const scripts = new Map([['names.js', formatNames()]].map(([name, text]) => [`${proofPath}/${name}`, text!]));
  for (const name of ownScripts) addScript(scripts, `${proofPath}/${name}`);
  const style = readFileSync(join(ownFolder, 'proof.css'), 'utf8');
  const text = [...scripts.values(), ...sources.values(), style];
  const kept = [
    ...scripts.keys(),
    ...names.map((name) => `${proofPath}/source/${name}`),
    proofPath,
    proofStylePath,
    styleFile.path,
    scriptFile.path,
    '/favicon.svg',
  ];
  const offline = readFileSync(join(ownFolder, 'offline.js'), 'utf8');
  return {
    scripts,
    sources,
    style,
    formatOfflineScript(page) {
      const hash = createHash('sha256');
      for (const one of [...text, page]) hash.update(one);
      return `const version = '${hash.digest('hex').slice(0, 16)}';\nconst files = ${JSON.stringify(kept)};\n${offline}`;
    },
  };
}

/** With everything that it imports. */
function addScript(scripts: Map<string, string>, path: string): void {
  if (scripts.has(path)) return;
  const imported: string[] = [];
  const text = readFileSync(findFile(path), 'utf8').replaceAll(importLine, (_line, start: string, name: string) => {
    const target = name.startsWith('.') ? posix.join(posix.dirname(path), name) : `${proofPath}/${name}`;
    imported.push(target);
    return `${start}'${target}'`;
  });
  scripts.set(path, text);
  for (const one of imported) addScript(scripts, one);
}

/** At the begin of a line: comments have examples. */
const importLine = /^((?:import|export|\})[^\n]*?\sfrom\s)['"]([^'"\n]+)['"]/gm;

function findFile(path: string): string {
  const name = path.slice(proofPath.length + 1);
  const [, library, file] = /^(@noble\/\w+)\/(.+)$/.exec(name) ?? [];
  // Files that the package does not export lie beside one that it does.
  if (library && file) return join(dirname(require.resolve(`${library}/utils.js`)), file);
  const inPackage = 'verify-proof/';
  return name.startsWith(inPackage) ? join(packageFolder, name.slice(inPackage.length)) : join(ownFolder, name);
}

/** Of types by the field of their body, and of response codes. */
function formatNames(): string {
  const types = Object.fromEntries(transactionTypes.map(({ number, name }) => [number, name]));
  const codes = Object.fromEntries(Object.entries(responseCode).map(([name, number]) => [number, name]));
  return `export const transactionTypes = ${JSON.stringify(types)};\nexport const responseCodes = ${JSON.stringify(codes)};\n`;
}
