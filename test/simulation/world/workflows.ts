const agent = (id: string, limits: object = {}): object => ({ kind: "agent", id, prompt: `Do ${id}.`, ...limits });

const definition = (name: string, steps: readonly object[], more: object = {}): string =>
  JSON.stringify({ name, steps, ...more });

/** The workflows of the simulated project; two of them cannot run, each for another reason. */
export const WORKFLOWS: Readonly<Record<string, string>> = {
  plain: definition("plain", [agent("work")]),
  hurried: definition("hurried", [
    agent("hurry", { timeoutSeconds: 4, recovery: { prompt: "Come to an end.", timeoutSeconds: 3 } }),
    agent("rest", { timeoutSeconds: 5 }),
  ]),
  presented: definition("presented", [agent("work", { timeoutSeconds: 8 })], { presentation: "All is done." }),
  recovering: definition(
    "recovering",
    [agent("slow", { timeoutSeconds: 2, recovery: { prompt: "Come to an end." } })],
    { presentation: "It is over." },
  ),
  resting: definition("resting", [agent("rest", { timeoutSeconds: 3, recovery: { prompt: "Come to rest." } })]),
  mixed: definition("mixed", [
    { kind: "notify", id: "begin", notification: "progress", content: "It begins." },
    agent("first"),
    { kind: "command", id: "run", argv: ["true"] },
    agent("last"),
  ]),
  asking: definition("asking", [
    agent("before"),
    { kind: "wait", id: "ask", question: "Shall it go on?" },
    agent("after", { timeoutSeconds: 6 }),
  ]),
  commanding: definition("commanding", [{ kind: "command", id: "run", argv: ["true"] }, agent("then")]),
  crashing: definition("crashing", [agent("never")], { input: { type: "object", required: ["missing"] } }),
  broken: "{ this is no definition",
};

/** Those whose end is told by their result. */
export const PRESENTING_WORKFLOWS: ReadonlySet<string> = new Set(
  Object.keys(WORKFLOWS).filter((name) => WORKFLOWS[name]?.includes('"presentation":')),
);

export const WORKFLOW_NAMES: readonly string[] = Object.keys(WORKFLOWS);
