// docs/reference/errors.md, from the error catalogue.

import { errorCatalog } from '../../src/core/model/errors.ts';
import { inCode, page, table } from './markdown.ts';

export function errorsPage(): string {
  const rows = errorCatalog().map(({ code, http, retry, message, nextStep }) => [
    inCode(code),
    String(http),
    retry ? 'yes' : 'no',
    message,
    nextStep ?? '',
  ]);
  return page(
    'Errors',
    'Every error that Pinakes reports. The code is stable; the message may change. *Retry* says whether the same\nrequest may succeed later. Words in braces are filled in.',
    table(['code', 'HTTP status', 'retry', 'message', 'next step'], rows),
  );
}
