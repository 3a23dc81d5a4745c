// Decides whether a port may be asked. A public host is asked where websites live; in a range that the operator opened,
// any port will do that is not another kind of service.

import type { GuardPolicy } from '../ssrf/guard-policy.ts';
import { SERVICE_PORTS } from '../ssrf/service-ports.table.ts';

export function portIsOpen(port: number, opened: boolean, policy: GuardPolicy): boolean {
  if (port < 1 || port > 65_535) return false;
  if (policy.ports.has(port)) return true;
  if (port === 80 || port === 443) return true;
  return opened ? !SERVICE_PORTS.has(port) : port >= 8000 && port <= 8999;
}
