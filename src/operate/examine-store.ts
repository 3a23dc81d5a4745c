// Whether the database can be used, as a finding for doctor.

import { countPages } from '../library/count-pages.ts';
import { PinakesError, pinakesError } from '../core/model/errors.ts';
import type { Finding } from '../platform/check-machine.ts';
import type { Store } from '../store/port.ts';

const PART = 'database';

export async function examineStore(open: () => Promise<Store>): Promise<Finding> {
  try {
    const store = await open();
    try {
      return await examineOpened(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    const { message, nextStep } = asKnown(error);
    return { part: PART, state: 'wrong', says: message, next: nextStep };
  }
}

async function examineOpened(store: Store): Promise<Finding> {
  const { total } = await countPages(store);
  const says = `${store.engine}, ${total} pages`;
  try {
    await store.vectors.requireSearch();
    return { part: PART, state: 'well', says, next: null };
  } catch (error) {
    const { message, nextStep } = asKnown(error);
    return { part: PART, state: 'absent', says: `${says}; ${message}`, next: nextStep };
  }
}

function asKnown(error: unknown): PinakesError {
  return error instanceof PinakesError ? error : pinakesError('internal', { why: String(error) }, error);
}
