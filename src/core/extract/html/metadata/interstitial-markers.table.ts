// Markup that identifies an interstitial: a bot challenge or consent page instead of the site's own. A marker alone decides
// nothing, because ordinary pages may contain it too; the verdict also considers how little text the page has.

export interface InterstitialMarker {
  readonly name: string;
  readonly kind: 'challenge' | 'consent';
  /** Searched for in the markup as written. */
  readonly needle: string;
}

export const interstitialMarkers: readonly InterstitialMarker[] = [
  { name: 'cloudflare-challenge', kind: 'challenge', needle: '_cf_chl_opt' },
  { name: 'cloudflare-challenge-form', kind: 'challenge', needle: 'id="challenge-form"' },
  { name: 'cloudflare-turnstile-page', kind: 'challenge', needle: 'cf-turnstile' },
  { name: 'aws-waf', kind: 'challenge', needle: 'awsWafCookieDomainList' },
  { name: 'aws-waf-captcha', kind: 'challenge', needle: 'captcha.awswaf.com' },
  { name: 'datadome', kind: 'challenge', needle: 'captcha-delivery.com' },
  { name: 'incapsula', kind: 'challenge', needle: '_Incapsula_Resource' },
  { name: 'perimeterx', kind: 'challenge', needle: 'px-captcha' },
  { name: 'akamai', kind: 'challenge', needle: 'sec-if-cpt-container' },
  { name: 'ddos-guard', kind: 'challenge', needle: '/.well-known/ddos-guard/' },
  { name: 'anubis', kind: 'challenge', needle: '/.within.website/x/cmd/anubis' },
  { name: 'sucuri', kind: 'challenge', needle: 'sucuri_cloudproxy' },
  { name: 'siteground', kind: 'challenge', needle: '/.well-known/sgcaptcha/' },
  { name: 'recaptcha', kind: 'challenge', needle: 'class="g-recaptcha"' },
  { name: 'hcaptcha', kind: 'challenge', needle: 'class="h-captcha"' },
  { name: 'google-consent', kind: 'consent', needle: 'consent.google.' },
  { name: 'yahoo-consent', kind: 'consent', needle: 'guce.' },
  { name: 'onetrust', kind: 'consent', needle: 'onetrust-consent-sdk' },
  { name: 'didomi', kind: 'consent', needle: 'didomi-' },
  { name: 'cookiebot', kind: 'consent', needle: 'CybotCookiebotDialog' },
];

/** Ids of the elements into which front-end frameworks render a page. */
export const mountIds: ReadonlySet<string> = new Set([
  'root',
  'app',
  'app-root',
  'main-app',
  'react-root',
  '__next',
  '__nuxt',
  '___gatsby',
  'svelte',
  'q-app',
  'vue-app',
  'ember-app',
  'redoc',
  'swagger-ui',
  'docsify',
]);
