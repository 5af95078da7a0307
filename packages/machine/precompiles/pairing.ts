// Whether pairings multiply to one, for both curves.
type Affine<Coordinate> = { toAffine(): { x: Coordinate; y: Coordinate } };
type Curve<G2, Lines, Product> = {
  utils: { calcPairingPrecomputes(point: G2): Lines };
  millerLoopBatch(pairs: [Lines, bigint, bigint][]): Product;
  fields: {
    Fp12: {
      ONE: Product;
      eql(one: Product, other: Product): boolean;
      mul(one: Product, other: Product): Product;
      finalExponentiate(product: Product): Product;
    };
  };
};

/** Pairs between two looks at the time: some tens of milliseconds. With more of them at once little is won. */
const lookEvery = 8;

/**
 * Points of the groups of prime order, none at infinity. `look`: see PrecompileEntry. The library's `pairingBatch`
 * would look for the order of every point again, which takes as long as the pairing.
 */
export function pairToOne<G1 extends Affine<bigint>, G2, Lines, Product>(
  { utils, millerLoopBatch, fields: { Fp12 } }: Curve<G2, Lines, Product>,
  pairs: readonly { g1: G1; g2: G2 }[],
  look: () => void,
): boolean {
  let product = Fp12.ONE;
  for (let at = 0; at < pairs.length; at += lookEvery) {
    look();
    const lines = pairs.slice(at, at + lookEvery).map(({ g1, g2 }): [Lines, bigint, bigint] => {
      const { x, y } = g1.toAffine();
      return [utils.calcPairingPrecomputes(g2), x, y];
    });
    product = Fp12.mul(product, millerLoopBatch(lines));
  }
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
}
