// A connector that records every address it is asked to open, and opens none of them: whatever the address, the socket
// goes to one server on loopback. So even a broken guard sends nothing out.

import { connect } from 'node:net';
import type { Dial } from '../../src/fetch/http/guarded-dispatcher.ts';

export interface Dialled {
  readonly address: string;
  readonly port: number;
  readonly protocol: string;
  readonly servername: string | undefined;
}

export interface RecordingDial {
  readonly dial: Dial;
  readonly dialled: Dialled[];
}

/** `isLive`: addresses and ports of other test servers on loopback, which are really opened. */
export function recordingDial(
  sitePort: number,
  isLive: (address: string, port: number) => boolean = () => false,
): RecordingDial {
  const dialled: Dialled[] = [];
  return {
    dialled,
    dial(target, callback) {
      const port = target.port === '' ? (target.protocol === 'https:' ? 443 : 80) : Number(target.port);
      const address = target.hostname;
      dialled.push({ address, port, protocol: target.protocol, servername: target.servername });
      const socket = connect({ host: '127.0.0.1', port: isLive(address, port) ? port : sitePort });
      socket.once('connect', () => callback(null, socket));
      socket.once('error', (error) => callback(error, null));
    },
  };
}
