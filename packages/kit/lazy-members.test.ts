import { expect, it } from 'vitest';
import { lazyMembers } from './lazy-members.ts';

it('makes a member when it is first asked for, once for each object', () => {
  const made: string[] = [];
  const makeNamed = (name: string) => (own: string) => {
    made.push(`${name} of ${own}`);
    return { name, own };
  };
  const Members = lazyMembers({ one: makeNamed('one'), two: makeNamed('two'), three: makeNamed('three') });
  const [first, second] = [new Members('first'), new Members('second')];
  expect(made).toEqual([]);
  expect(first.two).toEqual({ name: 'two', own: 'first' });
  expect(first.two).toBe(first.two);
  expect(second.one).toEqual({ name: 'one', own: 'second' });
  expect(first.one).not.toBe(second.one);
  expect(made).toEqual(['two of first', 'one of second', 'one of first']);
});

it('has the members also where another class adds its own', () => {
  class Wider extends lazyMembers({ sum: ({ left, right }: { left: number; right: number }) => left + right }) {
    readonly own = 1;
  }
  const wider = new Wider({ left: 2, right: 3 });
  expect([wider.sum, wider.own]).toEqual([5, 1]);
});
