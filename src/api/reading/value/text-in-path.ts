// A value of any kind of text as a parameter of a path.
import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { PathParameter, TextKind } from '../query/parameter.ts';

type Options = { refusedAs: string; description: string; example: string };

export function textInPath<T>(kind: TextKind<T>, { refusedAs, description, example }: Options): PathParameter<T> {
  return {
    kind: kind.name,
    description,
    example,
    form: kind.form,
    read: kind.read,
    refuse: () => refuse('invalidParameter', { name: refusedAs }),
  };
}
