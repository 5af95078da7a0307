// With more flipped bits.
import './record-documents.test.ts';
