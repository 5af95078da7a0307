// Kinds of settings about names and pages of the web.
import type { Kind } from '../../../../packages/kit/setting.ts';

/** Origins of pages, checked and otherwise unchanged. */
export const originList: Kind<string> = {
  placeholder: '<origin,...>',
  shape: 'origins such as https://explorer.example.org, with commas between',
  read: (given) => (given.split(',').every(isOrigin) ? given : null),
};

/** The same, and what else browsers write in its place. */
export const pageList: Kind<string> = {
  placeholder: '<origin,...>',
  shape: 'origins such as https://app.example.org, chrome-extension://<id>, null, or *, with commas between',
  read: (given) => (given.split(',').every((entry) => isPage(entry.trim())) ? given : null),
};

export const hostList: Kind<string> = {
  placeholder: '<name,...>',
  shape: 'names of hosts without port, such as mirror.example.org or *.example.org, or *, with commas between',
  read: (given) => (given.split(',').every((entry) => isHost(entry.trim())) ? given : null),
};

function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isPage(text: string): boolean {
  return text === '*' || text === 'null' || /^[a-z-]+-extension:\/\/[\w-]+$/.test(text) || isOrigin(text);
}

function isHost(text: string): boolean {
  return text === '*' || /^(?:\*\.)?[a-z\d_](?:[a-z\d._-]{0,251}[a-z\d_])?$/i.test(text);
}
