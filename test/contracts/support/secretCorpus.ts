/** A made-up credential, assembled so that no scanner takes this file for a leak. */
export interface CorpusSecret {
  readonly name: string;
  /** How it appears in a text. */
  readonly text: string;
  /** The part that nobody may read. */
  readonly secret: string;
}

const alphanumeric = (length: number): string => "aB3dE5fG7hJ9kL1mN0pQ2rS4tU6vW8xY".repeat(8).slice(0, length);
const hex = (length: number): string => "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(4).slice(0, length);

const shaped = (name: string, ...parts: readonly string[]): CorpusSecret => {
  const secret = parts.join("");
  return { name, text: secret, secret };
};
const within = (name: string, secret: string, text: (secret: string) => string): CorpusSecret => ({
  name,
  text: text(secret),
  secret,
});

const AWS_SECRET = ["wJalrXUtnFEMI", "K7MDENG", "bPxRfiCYEXAMPLEKEY"].join("/");
const JWT = [`eyJ${alphanumeric(30)}`, `eyJ${alphanumeric(60)}`, alphanumeric(43)].join(".");
const PASSWORD = "hunter2!x";

/** Credentials that can be told by their form alone. */
export const SHAPED_SECRETS: readonly CorpusSecret[] = [
  ...["ghp", "gho", "ghu", "ghs", "ghr"].map((prefix) => shaped(`GitHub ${prefix}_`, `${prefix}_`, alphanumeric(36))),
  shaped("GitHub fine-grained", "github_pat_", alphanumeric(22), "_", alphanumeric(59)),
  shaped("GitLab", "glpat-", alphanumeric(20)),
  shaped("AWS access key id", "AKIA", "IOSFODNN7EXAMPLE"),
  shaped("AWS temporary key id", "ASIA", "IOSFODNN7EXAMPLE"),
  shaped("AWS secret access key", AWS_SECRET),
  shaped("Google API key", "AIza", "Sy", alphanumeric(33)),
  shaped("Google OAuth token", "ya29", ".", alphanumeric(60)),
  shaped("Google refresh token", "1//0", alphanumeric(60)),
  shaped("Tailscale key", "tskey-", "auth-", alphanumeric(20)),
  shaped("Google client secret", "GOCSPX-", alphanumeric(28)),
  shaped("Slack bot token", "xoxb-", "123456789012-", alphanumeric(24)),
  shaped("Slack app token", "xapp-", "1-A0-", alphanumeric(24)),
  within("Slack web hook", `T0/B0/${alphanumeric(24)}`, (path) => `https://hooks.slack.com/services/${path}`),
  within("Discord web hook", `1234567890/${alphanumeric(60)}`, (path) => `https://discord.com/api/webhooks/${path}`),
  shaped("Stripe secret key", "sk_", "live_", alphanumeric(24)),
  shaped("Stripe restricted key", "rk_", "test_", alphanumeric(24)),
  shaped("Stripe web hook secret", "whsec_", alphanumeric(32)),
  shaped("OpenAI key", "sk-", alphanumeric(48)),
  shaped("OpenAI project key", "sk-", "proj-", alphanumeric(60), "_-", alphanumeric(20)),
  shaped("Anthropic key", "sk-", "ant-api03-", alphanumeric(80), "-AA"),
  shaped("Hugging Face token", "hf_", alphanumeric(34)),
  shaped("Groq key", "gsk_", alphanumeric(52)),
  shaped("npm token", "npm_", alphanumeric(36)),
  shaped("PyPI token", "pypi-", "AgEIcHlwaS5vcmc", alphanumeric(60)),
  shaped("Docker token", "dckr_", "pat_", alphanumeric(27)),
  shaped("SendGrid key", "SG.", alphanumeric(22), ".", alphanumeric(43)),
  shaped("DigitalOcean token", "dop_", "v1_", hex(64)),
  shaped("Shopify token", "shpat_", hex(32)),
  shaped("Vault token", "hvs.", alphanumeric(24)),
  shaped("Telegram bot token", "123456789:", "AA", alphanumeric(33)),
  shaped("JSON Web Token", JWT),
  within("bearer token", alphanumeric(24), (token) => `Bearer ${token}`),
  within("basic authorization", `dXNlcjp${alphanumeric(12)}==`, (credentials) => `Basic ${credentials}`),
  within(
    "PEM private key",
    alphanumeric(200),
    (key) => `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`,
  ),
  within(
    "PEM private key on one line",
    alphanumeric(90),
    (key) => `-----BEGIN PRIVATE KEY-----\\n${key}\\n-----END PRIVATE KEY-----\\n`,
  ),
  within(
    "OpenPGP private key",
    alphanumeric(90),
    (key) => `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${key}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ),
  within("PEM private key that was cut off", alphanumeric(90), (key) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${key}`),
  within("password in a URL", PASSWORD, (password) => `https://user:${password}@host.example/path`),
  within(
    "password with @ and / in a URL",
    "p@ss/w0rd",
    (password) => `postgres://user:${password}@db.example:5432/app`,
  ),
  within("password without a user in a URL", PASSWORD, (password) => `redis://:${password}@cache:6379/0`),
  within("token as a user in a URL", alphanumeric(40), (token) => `https://${token}@git.example/repo.git`),
];

/** Passwords that only their name gives away. */
export const ASSIGNED_SECRETS: readonly CorpusSecret[] = [
  "password=#",
  "PASSWORD = #",
  "DB_PASSWORD=#",
  "db.password: #",
  "dbPassword: #,",
  "passwd:#",
  "Pwd=#;Database=app",
  "SMTP_PASS=#",
  'password="#"',
  "password='#'",
  "password=`#`",
  '{"apiKey":"#"}',
  '{"api_key" : "#", "user": "joe"}',
  "{'api-key': '#'}",
  '"{\\"accessToken\\":\\"#\\"}"',
  '\\\\\\"token\\\\\\": \\\\\\"#\\\\\\"',
  ':client_secret => "#"',
  'env["TOKEN"] = "#"',
  "secret := #",
  "token: #",
  "--token #",
  "--password=#",
  "--api-key '#'",
  "https://api.example/v1?access_token=#&page=2",
  "https://files.example/a?sv=2026&sig=#&se=1",
  "https://bucket.example/a?X-Amz-Signature=#&X-Amz-Date=1",
  "X-Api-Key: #",
  "Authorization: #",
  "authorization: Token #",
  '"Authorization": "Custom scheme #"',
  "Cookie: theme=dark; session=#",
  "//registry.example/:_authToken=#",
  "//registry.example/:_auth=#",
  "<password>#</password>",
  "Server=db;User Id=app;Password=#;",
  "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=#",
  "aws_secret_access_key = #",
  "STRIPE_KEY=#",
  "GITHUB_PAT=#",
  "passphrase: #.",
  "(password=#)",
  'password="#',
].map((template) => within(template, PASSWORD, (secret) => template.replace("#", () => secret)));
