// An object whose members are made when they are first asked for: of thirty, most uses need two or three.

type Makers = Readonly<Record<string, (options: never) => unknown>>;

type Made<M extends Makers> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/** What all of them take. */
type OptionsOf<M extends Makers> = [M[keyof M]] extends [(options: infer Options) => unknown] ? Options : never;

/** Each member is made once, from what the object was made with. Members are those of the class: a copy has none. */
export function lazyMembers<const M extends Makers>(makers: M): new (options: OptionsOf<M>) => Made<M> {
  class Lazy {
    readonly #options: never;
    readonly #made: unknown[] = [];

    constructor(options: never) {
      this.#options = options;
    }

    static {
      for (const [place, [name, make]] of Object.entries(makers).entries()) {
        Object.defineProperty(Lazy.prototype, name, {
          get(this: Lazy): unknown {
            this.#made[place] ??= make(this.#options);
            return this.#made[place];
          },
        });
      }
    }
  }
  return Lazy as unknown as new (
    options: OptionsOf<M>,
  ) => Made<M>;
}
