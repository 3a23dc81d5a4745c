// What the words of a chunk become in an index, as a short name: tokenizer, fields and their weights. A segment that carries
// another name was made by another version of the program; it is searched until its pages are indexed again.

import { sha256Hex } from '../../model/hash.ts';
import { defaultWeights } from './fields.ts';
import { tokenizerVersion } from '../tokenize/tokenize.ts';

const NAME_CHARS = 12;

export const indexForm: string = sha256Hex(JSON.stringify([tokenizerVersion, defaultWeights])).slice(0, NAME_CHARS);
