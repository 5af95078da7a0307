// With more flipped bits, of one more proof.
import './flipped-proofs.test.ts';
