// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the passages are source code, which has placeholders of its own.
import type { Defect } from "./defect.ts";

const IDENTITY = "src/contracts/identity.ts";
const CHARACTERS = "src/contracts/characters.ts";
const SAFE_TEXT = "src/contracts/safeText.ts";
const PARTS = "digest([targetSessionId, runId, sourceEventId, nodeId, attemptId, cause])";

/** An identity that forgets one of its six parts. */
function forgets(part: string): Defect {
  return {
    name: `identityForgets${part.charAt(0).toUpperCase()}${part.slice(1)}`,
    rule: `Two intents that differ in ${part} alone have different ids.`,
    file: IDENTITY,
    find: PARTS,
    replace: PARTS.replace(new RegExp(`\\b${part}\\b`), "null"),
  };
}

/** Mistakes in the contracts: identity, facts, texts. */
export const CONTRACT_DEFECTS: readonly Defect[] = [
  ...["targetSessionId", "runId", "sourceEventId", "nodeId", "attemptId", "cause"].map(forgets),
  {
    name: "sentinelCollides",
    rule: "The sentinel of a launch is no name that a node could have.",
    file: IDENTITY,
    find: 'LAUNCH_NODE_ID = "$launch";',
    replace: 'LAUNCH_NODE_ID = "launch";',
  },
  {
    name: "discriminatorForgotten",
    rule: "Events of one kind and place are told apart by their discriminator.",
    file: IDENTITY,
    find: "digest([kind, runId, nodeId, attemptId, discriminator])",
    replace: "digest([kind, runId, nodeId, attemptId, null])",
  },
  {
    name: "identityOfTheMoment",
    rule: "The same source event has the same id whenever it is asked for.",
    file: IDENTITY,
    find: "digest([kind, runId, nodeId, attemptId, discriminator])",
    replace: "digest([kind, runId, nodeId, attemptId, discriminator, String(performance.now())])",
  },
  {
    name: "resolutionNotInMessageId",
    rule: "The message of a resolution has an id of its own.",
    file: IDENTITY,
    find: "return `${intentId}:${resolution}`;",
    replace: "return `${intentId}:message`;",
  },
  {
    name: "lengthInUnits",
    rule: "Lengths are counted in characters, not in UTF-16 units.",
    file: "generated/textRules.ts",
    find: "? countedCodePoints(text) : text.length;",
    replace: "? text.length : text.length;",
  },
  {
    name: "cutInsideCharacter",
    rule: "A cut keeps a character whole or drops it.",
    file: CHARACTERS,
    find: "if (kept < maxCharacters) cutAt += character.length;",
    replace: "if (kept < maxCharacters) cutAt += 1;",
  },
  {
    name: "redactionSkipped",
    rule: "Credentials are taken out of what is stored.",
    file: SAFE_TEXT,
    find: "fold(redactSecrets(cleanText(text.slice(0, UNTRUSTED_TEXT_MAX_LENGTH)), knownSecrets));",
    replace: "fold(cleanText(text.slice(0, UNTRUSTED_TEXT_MAX_LENGTH)));",
  },
  {
    name: "cleaningSkipped",
    rule: "Terminal commands and invisible characters are taken out of what is stored.",
    file: SAFE_TEXT,
    find: "redactSecrets(cleanText(text.slice(0, UNTRUSTED_TEXT_MAX_LENGTH)), knownSecrets)",
    replace: "redactSecrets(text.slice(0, UNTRUSTED_TEXT_MAX_LENGTH), knownSecrets)",
  },
  {
    name: "quoteLeft",
    rule: "A reason cannot leave its quotes in the message.",
    file: "src/contracts/wording.ts",
    find: "return JSON.stringify(text).replace(",
    replace: 'return `"${text}"`.replace(',
  },
  {
    name: "fieldTwice",
    rule: "A field that is given twice is refused.",
    file: "src/contracts/contractValue.ts",
    find: "if (twice !== undefined)",
    replace: "if (twice === null)",
  },
  {
    name: "bytesUnbounded",
    rule: "Facts have at most 64 KiB of UTF-8.",
    file: "src/contracts/contractValue.ts",
    find: "if (bytes > reader.maxBytes)",
    replace: "if (bytes > 2 * reader.maxBytes)",
  },
  {
    name: "prototypeTakenForField",
    rule: "A field called __proto__ is a field, and unknown.",
    file: "src/contracts/contractValue.ts",
    find: "Object.defineProperty(copy, field, { value: property.value, enumerable: true, writable: true, configurable: true });",
    replace: "Object.assign(copy, { [field]: property.value });",
  },
  {
    name: "nulInKeys",
    rule: "No key contains U+0000.",
    file: "src/contracts/keys.ts",
    find: 'if (value.includes("\\0")) return "contains U+0000";\n',
    replace: "\n",
  },
  {
    name: "unknownFieldsAllowed",
    rule: "Facts with a field that the contract does not know are refused.",
    file: "schemas/deferred-turn-facts.v1.schema.json",
    find: '"additionalProperties": false',
    replace: '"additionalProperties": true',
  },
];
