// docs/reference/errors.md, from the catalogue of errors.

import { errorCatalogue } from '../../src/core/model/errors.ts';
import { inCode, page, table } from './markdown.ts';

export function errorsPage(): string {
  const rows = errorCatalogue().map(({ code, http, retry, says, next }) => [
    inCode(code),
    String(http),
    retry ? 'yes' : 'no',
    says,
    next ?? '',
  ]);
  return page(
    'Errors',
    'Every failure that Pinakes reports. The code is stable; the sentence may be improved. *Again* tells whether the same\nrequest may succeed later. Words in braces are filled in.',
    table(['code', 'HTTP status', 'again', 'sentence', 'what to do'], rows),
  );
}
