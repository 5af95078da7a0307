// With more flipped bits.
import './block-documents.test.ts';
