// Parts of a list that is known whole.
import { expect, it } from 'vitest';
import { RequestError } from '../../../packages/web-server/request-error.ts';
import { listWindow } from './list-window.ts';

const items = Array.from({ length: 60 }, (_, at) => at);
const open = (queryText: string, list = items) =>
  listWindow(list, { path: '/demo/x', queryText }, { name: 'logs', id: 'logs' });

it.each([
  ['', 0, 25, ['rel="next"', '?logs=25#logs', '1 to 25 of 60']],
  ['logs=25', 25, 25, ['First part', '?logs=50#logs', '26 to 50 of 60']],
  ['logs=50', 50, 10, ['First part', '51 to 60 of 60']],
  ['logs=999', 999, 0, ['First part', 'None here of 60']],
  ['tid=0.0.5-1-1', 0, 25, ['?logs=25#logs']],
])('%s', (queryText, start, count, parts) => {
  const found = open(queryText);
  expect([found.start, found.shown.length]).toEqual([start, count]);
  for (const part of parts) expect(found.pager!.markup).toContain(part);
});

it('the last part has no next one, and a short list no pager', () => {
  expect(open('logs=50').pager!.markup).not.toContain('rel="next"');
  expect(open('', items.slice(0, 25)).pager).toBeNull();
});

it.each(['logs=-1', 'logs=1e3', 'logs=', 'logs=99999999999', 'logs=%3Cb%3E'])('%s is refused', (queryText) => {
  expect(() => open(queryText)).toThrow(RequestError);
});
