/** Made-up credentials: they have the form of real ones, are assembled here, and say themselves that they are none. */

const WORDS = "EXAMPLEonly0NotReal9";

/** So many letters and digits. */
export function made(length: number): string {
  return WORDS.repeat(Math.ceil(length / WORDS.length)).slice(0, length);
}

/** So many lower-case hex digits. */
export function madeHex(length: number): string {
  return "0ddba11c0ffeedecade5".repeat(Math.ceil(length / 20)).slice(0, length);
}

/** So many capitals and digits. */
export function madeCapitals(length: number): string {
  return made(length).toUpperCase();
}

/** Base64 of a text that says that it is made up. */
export function madeBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** A password with the marks that passwords have. */
export const PASSWORD = ["Tr0ub4dor", "EXAMPLE", "3"].join("!");

/** A credential in the text in which it turns up; `§` stands for it. */
export interface Credential {
  readonly name: string;
  readonly text: string;
  readonly secret: string;
}

export function credential(name: string, template: string, ...parts: readonly string[]): Credential {
  const secret = parts.length === 0 ? PASSWORD : parts.join("");
  return { name, text: template.replaceAll("§", () => secret), secret };
}
