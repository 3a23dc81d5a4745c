// How Chromium is started. Playwright's own flags are not used, so that this table is the whole command line; a test compares
// it with that of a running browser, and shows for each flag of the network what happens without it.

export interface BrowserFlag {
  readonly flag: string;
  readonly reason: string;
}

/** Features that connect on their own, or keep pages alive after they were closed. */
const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'OptimizationGuideModelDownloading',
  'Prerender2',
  'SpeculationRulesPrefetchFuture',
  'Translate',
] as const;

/** The flags that keep every connection on the proxy: without one of them a page reaches what the guard has not seen. */
const NETWORK_FLAGS: readonly BrowserFlag[] = [
  {
    flag: '--proxy-bypass-list=<-loopback>',
    reason: 'Chromium bypasses a proxy for loopback and link-local addresses',
  },
  { flag: '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1', reason: 'only the proxy resolves names' },
  { flag: '--disable-quic', reason: 'QUIC is UDP, which no HTTP proxy carries' },
  { flag: '--force-webrtc-ip-handling-policy=disable_non_proxied_udp', reason: 'WebRTC sends UDP past the proxy' },
  { flag: '--webrtc-ip-handling-policy=disable_non_proxied_udp', reason: 'the same, by its newer name' },
  { flag: '--dns-prefetch-disable', reason: 'a prefetch is a lookup that the proxy does not see' },
  { flag: '--no-pings', reason: 'a link with a ping attribute posts to any host' },
  { flag: '--disable-background-networking', reason: 'the browser connects without a page' },
  { flag: '--disable-component-update', reason: 'the same' },
  { flag: '--disable-domain-reliability', reason: 'the same' },
  { flag: '--disable-sync', reason: 'the same' },
  { flag: '--disable-extensions', reason: 'the same' },
  { flag: '--disable-default-apps', reason: 'the same' },
  { flag: '--disable-client-side-phishing-detection', reason: 'the same' },
  { flag: `--disable-features=${DISABLED_FEATURES.join(',')}`, reason: 'the same, and preloading of pages' },
];

export const BROWSER_FLAGS: readonly BrowserFlag[] = [
  ...NETWORK_FLAGS,
  { flag: '--headless', reason: 'there is no screen' },
  { flag: '--remote-debugging-pipe', reason: 'a browser whose parent ends sees the pipe close, and ends too' },
  { flag: '--disable-shared-workers', reason: 'their requests are not those of a page, so they bypass the filter' },
  { flag: '--block-new-web-contents', reason: 'no pop-ups' },
  { flag: '--deny-permission-prompts', reason: 'no permissions' },
  { flag: '--disable-notifications', reason: 'no permissions' },
  { flag: '--disable-remote-fonts', reason: 'fonts have no text' },
  { flag: '--mute-audio', reason: 'no media' },
  { flag: '--disable-gpu', reason: 'nothing is shown, and its process costs memory' },
  { flag: '--disable-dev-shm-usage', reason: 'containers have 64 MB of shared memory' },
  { flag: '--disable-breakpad', reason: 'no crash reports, and no process that writes them' },
  { flag: '--disable-crash-reporter', reason: 'the same' },
  { flag: '--disable-hang-monitor', reason: 'a hanging page is ended by its time limit' },
  { flag: '--disable-background-timer-throttling', reason: 'no page is in the foreground' },
  { flag: '--disable-backgrounding-occluded-windows', reason: 'the same' },
  { flag: '--disable-renderer-backgrounding', reason: 'the same' },
  { flag: '--js-flags=--max-old-space-size=512', reason: 'a page that allocates without end ends alone' },
  { flag: '--password-store=basic', reason: 'no keyring is asked for' },
  { flag: '--no-first-run', reason: 'no welcome page' },
  { flag: '--no-default-browser-check', reason: 'nothing is asked' },
  { flag: '--no-startup-window', reason: 'the pool opens its own pages' },
];

export interface FlagOptions {
  readonly proxy: { readonly host: string; readonly port: number };
  readonly profile: string;
  readonly sandbox: boolean;
}

export function browserArguments({ proxy, profile, sandbox }: FlagOptions): string[] {
  return [
    `--proxy-server=http://${proxy.host}:${proxy.port}`,
    `--user-data-dir=${profile}`,
    ...BROWSER_FLAGS.map(({ flag }) => flag),
    ...(sandbox ? [] : ['--no-sandbox']),
  ];
}
