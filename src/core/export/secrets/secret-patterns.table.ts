// What a key looks like, by its beginning, whoever issued it. Each takes linear time: fixed beginnings, bounded middles.

export interface SecretPattern {
  readonly rule: string;
  readonly shape: RegExp;
}

export const secretPatterns: readonly SecretPattern[] = [
  { rule: 'private-key', shape: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g },
  { rule: 'aws-access-key', shape: /\bA[KS]IA[A-Z\d]{16}\b/g },
  { rule: 'github-token', shape: /\b(?:gh[pousr]_[A-Za-z\d]{36,255}|github_pat_\w{40,255})/g },
  { rule: 'gitlab-token', shape: /\bglpat-[\w-]{20,100}/g },
  { rule: 'slack-token', shape: /\bxox[abeprs]-[\w-]{20,200}/g },
  { rule: 'google-api-key', shape: /\bAIza[\w-]{35}/g },
  { rule: 'npm-token', shape: /\bnpm_[A-Za-z\d]{36}/g },
  { rule: 'hugging-face-token', shape: /\bhf_[A-Za-z\d]{30,100}/g },
  { rule: 'model-api-key', shape: /\bsk-[A-Za-z\d_-]{32,200}/g },
  { rule: 'stripe-key', shape: /\b[rs]k_live_[A-Za-z\d]{20,100}/g },
  { rule: 'json-web-token', shape: /\beyJ[\w-]{10,1000}\.eyJ[\w-]{10,2000}\.[\w-]{10,1000}/g },
  { rule: 'password-in-url', shape: /\b[a-z][a-z\d+]{1,15}:\/\/[^\s:/@"'<>]{1,100}:[^\s:/@"'<>]{3,100}@[a-z\d]/g },
];
