import { playShortForm } from './short-trials.ts';

playShortForm('sqlite');
