/** Changes of rules that no document can show, each at each of some places, and why. */
interface Equivalents {
  readonly reason: string;
  readonly contracts: readonly string[];
  readonly at: readonly string[];
  readonly mutations: readonly string[];
}

const FACTS = "deferred-turn-facts.v1";
const MESSAGE = "deferred-turn-message.v1";
const NATURAL = "natural-message-details.v1";
const WORKFLOW = "workflow-definition.v1";

const STEPS = ["agentStep", "commandStep", "notifyStep", "waitStep"].map((name) => `/definitions/${name}`);
const NO_TYPE = ["drop type", "type with null"];

const EQUIVALENTS: readonly Equivalents[] = [
  {
    reason: "const and enum allow texts only, so that the type says it again, for the types of TypeScript.",
    contracts: [FACTS, MESSAGE],
    at: ["/properties/schema", "/properties/cause"],
    mutations: NO_TYPE,
  },
  {
    reason: "The same of the kinds of steps, of notifications and of types.",
    contracts: [WORKFLOW],
    at: [
      ...STEPS.map((step) => `${step}/properties/kind`),
      "/definitions/notifyStep/properties/notification",
      "/definitions/inputSchema/properties/type/items",
    ],
    mutations: NO_TYPE,
  },
  {
    reason: "A step and each kind of step say that they are objects: one of them is enough.",
    contracts: [WORKFLOW],
    at: ["/definitions/step", ...STEPS],
    mutations: NO_TYPE,
  },
  {
    reason: "The input schema is an object or a truth value by its definition: null is refused there.",
    contracts: [WORKFLOW],
    at: ["/properties/input"],
    mutations: ["type with null"],
  },
  {
    reason: "It is used under `not` beside a type of its own, which refuses what is no text and not null.",
    contracts: [MESSAGE],
    at: ["/definitions/unstorableText"],
    mutations: NO_TYPE,
  },
  {
    reason: "The same, but for unnamableText without a type: then `not` would refuse the lists of `type`.",
    contracts: [WORKFLOW],
    at: ["/definitions/unstorableText"],
    mutations: NO_TYPE,
  },
  {
    reason: "The same.",
    contracts: [WORKFLOW],
    at: ["/definitions/unnamableText"],
    mutations: ["type with null"],
  },
  {
    reason: "The pattern of an id fixes its length already; Python's $ also matches before a line break at the end.",
    contracts: [MESSAGE, NATURAL],
    at: ["/properties/turnIntentId"],
    mutations: [
      "drop minLength",
      "minLength 77",
      "drop maxLength",
      "maxLength 79",
      "pattern without ^",
      "pattern without $",
    ],
  },
  {
    reason: "A name begins with a character, so that it has one; the least length says so for a reader.",
    contracts: [WORKFLOW],
    at: ["/properties/name", ...STEPS.map((step) => `${step}/properties/id`)],
    mutations: ["drop minLength", "minLength 0"],
  },
  {
    reason: "What stands beside the letters and digits is no character of a name, wherever it stands.",
    contracts: [WORKFLOW],
    at: ["/properties/name", ...STEPS.map((step) => `${step}/properties/id`)],
    mutations: ["[\\u{40}-\\u{5a}a-z0-9]", "[\\u{41}-\\u{5b}a-z0-9]", "[A-Z\\u{60}-\\u{7a}0-9]"]
      .concat("[A-Z\\u{61}-\\u{7b}0-9]", "[A-Za-z\\u{2f}-\\u{39}]", "[A-Za-z\\u{30}-\\u{3a}]")
      .map((characters) => `pattern [A-Za-z0-9] → ${characters}`),
  },
  {
    reason: "A reference begins with #, so that it has a character.",
    contracts: [WORKFLOW],
    at: ["/definitions/inputSchema/properties/$ref"],
    mutations: ["drop minLength", "minLength 0"],
  },
  {
    reason: "The pattern lists the types; these rules refuse a line break at the end, which some engines' $ overlooks.",
    contracts: [WORKFLOW],
    at: ["/definitions/inputSchema/properties/type"],
    mutations: ["drop maxLength", "maxLength 8", "drop not"],
  },
  {
    reason: "The same: no type is any of these.",
    contracts: [WORKFLOW],
    at: ["/definitions/inputSchema/properties/type/not"],
    mutations: ["unstorableText", "step", "agentStep", "agentStepRecovery", "commandStep", "notifyStep", "waitStep"]
      .concat("inputSchema")
      .map((name) => `$ref #/definitions/${name}`),
  },
  {
    reason: "V8 finds U+10FFFF in no negated class that ends right below it.",
    contracts: [FACTS, MESSAGE, WORKFLOW],
    at: ["/definitions/unstorableText"],
    mutations: ["pattern [^\\x01-\ud7ff\ue000-\u{10ffff}] → [^\\x01-\ud7ff\\u{e000}-\\u{10fffe}]"],
  },
];

/** The names of the mutants of a contract that no document can show. */
export function equivalentSchemaMutants(contract: string): readonly string[] {
  return EQUIVALENTS.filter(({ contracts }) => contracts.includes(contract)).flatMap(({ at, mutations }) =>
    at.flatMap((pointer) => mutations.map((mutation) => `#${pointer} ${mutation}`)),
  );
}
