// More proofs, of a network that signs most blocks.
import './handed-over.test.ts';
