// Patterns of secrets, by issuer. All take linear time: fixed prefixes, bounded lengths.

export interface SecretPattern {
  readonly rule: string;
  readonly pattern: RegExp;
}

export const secretPatterns: readonly SecretPattern[] = [
  { rule: 'private-key', pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g },
  { rule: 'aws-access-key', pattern: /\bA[KS]IA[A-Z\d]{16}\b/g },
  { rule: 'github-token', pattern: /\b(?:gh[pousr]_[A-Za-z\d]{36,255}|github_pat_\w{40,255})/g },
  { rule: 'gitlab-token', pattern: /\bglpat-[\w-]{20,100}/g },
  { rule: 'slack-token', pattern: /\bxox[abeprs]-[\w-]{20,200}/g },
  { rule: 'google-api-key', pattern: /\bAIza[\w-]{35}/g },
  { rule: 'npm-token', pattern: /\bnpm_[A-Za-z\d]{36}/g },
  { rule: 'hugging-face-token', pattern: /\bhf_[A-Za-z\d]{30,100}/g },
  { rule: 'model-api-key', pattern: /\bsk-[A-Za-z\d_-]{32,200}/g },
  { rule: 'stripe-key', pattern: /\b[rs]k_live_[A-Za-z\d]{20,100}/g },
  { rule: 'json-web-token', pattern: /\beyJ[\w-]{10,1000}\.eyJ[\w-]{10,2000}\.[\w-]{10,1000}/g },
  { rule: 'password-in-url', pattern: /\b[a-z][a-z\d+]{1,15}:\/\/[^\s:/@"'<>]{1,100}:[^\s:/@"'<>]{3,100}@[a-z\d]/g },
];
