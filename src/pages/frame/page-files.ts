// The style and the script of all pages. Their paths have their hash, so that browsers keep them, and a page never
// meets those of another version.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type PageFile = { path: string; body: string; contentType: string };

const folder = join(import.meta.dirname, '../browser');

export const styleFile = read('style.css', 'text/css; charset=utf-8');
export const scriptFile = read('page.js', 'text/javascript; charset=utf-8', 'visitor.js');

/** `further`: files that follow in the same one, each with names of its own. */
function read(name: string, contentType: string, ...further: string[]): PageFile {
  const texts = [name, ...further].map((file) => readFileSync(join(folder, file), 'utf8'));
  const body = further.length === 0 ? texts.join('') : texts.map((text) => `{\n${text}}\n`).join('');
  const [stem, ending] = name.split('.');
  return { path: `/assets/${stem}-${hash('sha256', body).slice(0, 12)}.${ending}`, body, contentType };
}
