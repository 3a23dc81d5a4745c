import { runShortTrials } from './short-trials.ts';

runShortTrials('postgres');
