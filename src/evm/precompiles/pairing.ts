// Whether pairings multiply to one, for both curves.
type Curve<G1, G2, Product> = {
  pairingBatch(pairs: { g1: G1; g2: G2 }[], withFinalExponent?: boolean): Product;
  fields: {
    Fp12: {
      ONE: Product;
      eql(one: Product, other: Product): boolean;
      mul(one: Product, other: Product): Product;
      finalExponentiate(product: Product): Product;
    };
  };
};

/** Pairs between two looks at the time: some tens of milliseconds. */
const lookEvery = 8;

/** `look`: see PrecompileEntry. */
export function pairToOne<G1, G2, Product>(
  { pairingBatch, fields: { Fp12 } }: Curve<G1, G2, Product>,
  pairs: readonly { g1: G1; g2: G2 }[],
  look: () => void,
): boolean {
  let product = Fp12.ONE;
  for (let at = 0; at < pairs.length; at += lookEvery) {
    look();
    product = Fp12.mul(product, pairingBatch(pairs.slice(at, at + lookEvery), false));
  }
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
}
