// With more flipped bits.
import './record-forms.test.ts';
