// What a form sends becomes parameters of the endpoint, and these become the form again.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FilterField, filterForm, timeFields, toEndpointQuery } from './filters.ts';

const nameField: FilterField = { name: 'name', label: 'Name' };
const fields = [nameField, ...timeFields];

it('any text that is sent is shown again, and is no markup', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const query = new URLSearchParams({ name: text }).toString();
      const { markup } = filterForm({ path: '/x', queryText: query }, [nameField]);
      // One form with one field, whatever the text is.
      expect(markup.match(/</g)).toHaveLength(text === '' ? 7 : 9);
      expect(toEndpointQuery(query, fields)).toBe(text.trim() === '' ? '' : null);
    }),
  );
});

it('every second of a time comes back as it was', () => {
  const second = fc.integer({ min: 0, max: 253_402_300_799 });
  fc.assert(
    fc.property(second, second, (from, until) => {
      const toInput = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19);
      const sent = new URLSearchParams({ from: toInput(from), until: toInput(until), name: '' }).toString();
      const asked = toEndpointQuery(sent, fields)!;
      expect(asked).toBe(`timestamp=gte:${from}.000000000&timestamp=lte:${until}.999999999`);
      if (from > 9_999_999_999 || until > 9_999_999_999) return;
      const { markup } = filterForm({ path: '/x', queryText: asked }, fields);
      expect(markup).toContain(`name="from" type="datetime-local" step="1" value="${toInput(from)}"`);
      expect(markup).toContain(`name="until" type="datetime-local" step="1" value="${toInput(until)}"`);
    }),
  );
});

it.each(['', 'name=x', 'name=x&timestamp=gt:5', 'order=asc', '&&', 'timestamp=lt:1&name='.replace('&name=', '')])(
  '%j is asked as it is',
  (query) => {
    expect(toEndpointQuery(query, fields)).toBeNull();
  },
);

it.each([
  'yesterday',
  '2026-13-01T00:00',
  '2026-01-01',
  '2026-01-01T25:00',
  '1969-12-31T23:59',
  '2026-01-01T00:00:00Z',
])('%s is no time', (text) => {
  expect(() => toEndpointQuery(`from=${text}`, fields)).toThrow(/Invalid parameter: from/);
});
