import { matchesIn, type TextSpan } from "./redaction.ts";

/**
 * Where a secret may begin whose first letters also occur within words. A closing bracket is no beginning, so that the
 * mark of a redaction does not uncover, on a second run, what the first one left.
 */
const START = String.raw`(?<![A-Za-z0-9\]])`;

/**
 * Credentials that can be told by their form. Each pattern is a fixed beginning and an open run of characters: that keeps
 * the search fast in any text, and leaves no letter behind that a second run would take for the beginning of a word.
 */
const SHAPES: readonly RegExp[] = [
  // GitHub: personal, OAuth, user, server and refresh tokens, fine-grained tokens
  /gh[opsur]_[A-Za-z0-9_]{16,}/g,
  /github_pat_[A-Za-z0-9_]{16,}/g,
  // GitLab
  /gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[\w-]{16,}/g,
  // AWS key ids
  /(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}\w*/g,
  // Google: API keys, OAuth tokens and client secrets
  /AIza[\w-]{30,}/g,
  /ya29\.[\w-]{16,}/g,
  /GOCSPX-[\w-]{16,}/g,
  /(?<![\w/])1\/\/0[\w-]{16,}/g,
  // Tailscale
  /tskey-[a-z]{2,16}-[\w-]{8,}/g,
  // Slack: tokens and web hooks
  /xox[a-z](?:\.[a-z])?-[\w-]{8,}/g,
  /xapp-[\w-]{8,}/g,
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]{8,}/g,
  // Discord web hooks
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,}/g,
  // Discord bots, and Teams web hooks
  new RegExp(`${START}[MNO][\\w-]{22,30}\\.[\\w-]{6}\\.[\\w-]{27,}`, "g"),
  /(?<=webhook\.office\.com\/webhookb2\/)[\w@/-]{16,}/g,
  // Stripe: secret, restricted and publishable keys, web hook secrets
  /[rsp]k_(?:live|test)_[A-Za-z0-9]{8,}/g,
  /whsec_[A-Za-z0-9+/=]{16,}/g,
  // OpenAI, Anthropic, OpenRouter and others who begin with sk-
  new RegExp(`${START}sk-[\\w-]{16,}`, "g"),
  // Groq, xAI, Perplexity, Replicate, Hugging Face
  new RegExp(`${START}(?:gsk_|xai-|pplx-|r8_|hf_)[A-Za-z0-9]{20,}`, "g"),
  // npm, PyPI, RubyGems, crates.io, Docker Hub
  new RegExp(`${START}npm_[A-Za-z0-9]{16,}`, "g"),
  /pypi-[\w-]{16,}/g,
  /rubygems_[a-f0-9]{24,}\w*/g,
  new RegExp(`${START}cio[A-Za-z0-9]{32,}`, "g"),
  /dckr_pat_[\w-]{16,}/g,
  // SendGrid, DigitalOcean, Shopify, Linear, Vault, Databricks, Atlassian, New Relic, Grafana, PlanetScale, Telegram,
  // Twilio, Mailgun, age
  new RegExp(`${START}SG\\.[\\w-]{16,}(?:\\.[\\w-]*)?`, "g"),
  /do[opr]_v1_[a-f0-9]{16,}\w*/g,
  /shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{16,}\w*/g,
  /lin_api_[A-Za-z0-9]{16,}/g,
  new RegExp(`${START}hv[sbr]\\.[\\w-]{16,}`, "g"),
  new RegExp(`${START}dapi[a-f0-9]{32,}\\w*`, "g"),
  /ATATT3[\w-]{16,}/g,
  new RegExp(`${START}NRAK-[A-Z0-9]{20,}\\w*`, "g"),
  /gl(?:sa|c)_[A-Za-z0-9_]{20,}/g,
  /pscale_(?:pw|tkn|oauth)_[\w-]{16,}/g,
  new RegExp(`(?:${START}|(?<=/bot))\\d{8,10}:AA[\\w-]{30,}`, "g"),
  new RegExp(`${START}SK[a-f0-9]{32,}\\w*`, "g"),
  new RegExp(`${START}key-[a-f0-9]{32,}\\w*`, "g"),
  /AGE-SECRET-KEY-1[A-Z0-9]{16,}\w*/g,
  // Client secrets of Azure
  /(?<![\w~.\]-])[\w~.-]{3}\dQ~[\w~.-]{31,}/g,
  // Hashes of passwords
  /\$(?:2[abxy]|[156y]|apr1|argon2(?:id?|d)|scrypt)\$[\w./+=,$-]{20,}/g,
  // Passwords in places that have no name: .netrc, .pgpass, SQL, Oracle's URLs, URLs within URLs, Docker's registries
  /(?<=\blogin\s{1,8}\S{1,256}\s{1,8}password\s{1,8})\S+/g,
  /(?<=:(?:5432|5433|6432|\*):[^\s:]{1,64}:[^\s:]{1,64}:)[^\s:]\S*/g,
  /(?<=\bIDENTIFIED (?:WITH \w{1,40} )?(?:BY|AS) ["'])[^"'\n]+/gi,
  /(?<=\bjdbc:oracle:\w{1,8}:[\w.$#]{1,64}\/)[^\s@]{1,256}(?=@)/g,
  /(?<=%3A%2F%2F[\w.-]{1,64}%3A)(?:(?!%40)[^\s"'&]){1,256}(?=%40)/gi,
  /(?<="auth"\s{0,4}:\s{0,4}")[A-Za-z0-9+/=]{12,}/g,
  // Keys that are named in two words. What is no token is no key: "invalid API key: none given".
  /(?<=\b(?:[Aa][Pp][Ii]|[Aa]ccess|[Ss]ecret|[Pp]rivate|[Aa]uth) [Kk]ey\s{0,2}[:=]\s{1,2}["'`]?)(?=[\w+/.=-]{0,64}\d)[\w+/.=-]{8,}/g,
  // JSON Web Tokens, and other JSON in base64url
  /eyJ[\w-]{16,}(?:\.[\w-]*){0,4}/g,
  // An authorization without its header. Words alone ("basic authentication") are none.
  /(?<=(?:[Bb]earer|BEARER|[Bb]asic|BASIC) {1,4})(?=[a-z._~+/=-]{0,64}[A-Z0-9])[A-Za-z0-9._~+/=-]{8,}/g,
];

/** The secret half of an AWS key: forty characters of base64 that stand alone. */
const AWS_SECRET = /(?<![A-Za-z0-9+/\]])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/[=])/g;

/** Where secrets of known forms stand in a text. */
export function* shapedSecrets(text: string): Generator<TextSpan> {
  for (const shape of SHAPES) {
    for (const { index, 0: secret } of matchesIn(text, shape)) yield { start: index, end: index + secret.length };
  }
  yield* awsSecrets(text);
}

function* awsSecrets(text: string): Generator<TextSpan> {
  for (const { index, 0: run } of matchesIn(text, AWS_SECRET)) {
    // Digests are lower-case hex, identifiers and paths seldom mix all three.
    if (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)) yield { start: index, end: index + run.length };
  }
}
