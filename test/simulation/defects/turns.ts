// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the passages are source code, which has placeholders of its own.
import type { Defect } from "./defect.ts";

const COORDINATOR = "src/turns/coordinator.ts";
const DELIVERIES = "src/turns/deliveries.ts";
const CLAIMS = "src/turns/deliveryClaims.ts";
const GATE = "src/turns/sessionGate.ts";
const QUEUE = "src/turns/naturalQueue.ts";
const OBLIGATIONS = "src/turns/obligations.ts";
const POLICY = "src/turns/policy.ts";
const FALLBACK = "src/turns/fallbackEligibility.ts";
const BINDING = "src/pi/bindDeferredTurns.ts";
const BOUND_SESSION = "src/pi/boundSession.ts";

/** Mistakes in what is delivered, and once. */
const DELIVERY: readonly Defect[] = [
  {
    name: "batchOnOneIdleCheck",
    rule: "At most one message leaves for each settled, idle session.",
    file: COORDINATOR,
    find: "      if (left === true) return;\n",
    replace: "",
  },
  {
    name: "branchScanSkipped",
    rule: "Before a send the session is searched for the message.",
    file: DELIVERIES,
    find: "if (this.#wasDelivered(sent, dispatch.tookOver)) {",
    replace: 'if (sent.intentId === "") {',
  },
  {
    name: "takeoverWithoutFile",
    rule: "Who takes a claim over reads the session's file again: another process may have written to it.",
    file: DELIVERIES,
    find: "else if (tookOver) {",
    replace: 'else if (tookOver && sent.intentId === "") {',
  },
  {
    name: "takeoverForgotten",
    rule: "A takeover is remembered until its intent is resolved: the first attempt may fail after it.",
    file: DELIVERIES,
    find: "if (tookOver) takenOver.add(intentId);",
    replace: "if (tookOver) return true;",
  },
  {
    name: "resolveBeforeSeen",
    rule: "Sent is not resolved; seen is.",
    file: DELIVERIES,
    find: "    gate.departed();\n    sent.deferredAtRun",
    replace:
      '    sent.sighting = "seen";\n    this.#resolveIfSeen(sent);\n    gate.departed();\n    sent.deferredAtRun',
  },
  {
    name: "unflushedCountsAsFlushed",
    rule: "A message that stands in memory alone resolves nothing.",
    file: "src/turns/session.ts",
    find: "return !session.persisted || entries.some(isConversation);",
    replace: "return !session.persisted || entries.length > 0 || entries.some(isConversation);",
  },
  {
    name: "releaseOnFailedResolve",
    rule: "A resolution that fails keeps its claim, and never leads to a second send.",
    file: DELIVERIES,
    find: "else if (this.#claims.resolve(sent) || this.#isMoot(sent)) this.#arrived(sent.intentId);\n    } catch (error) {",
    replace:
      "else if (this.#claims.resolve(sent) || this.#isMoot(sent)) this.#arrived(sent.intentId);\n    } catch (error) {\n      this.#giveUp(sent);",
  },
  {
    name: "deferredCountsAsLost",
    rule: "What Pi deferred behind its settled handlers is not lost.",
    file: DELIVERIES,
    find: "sent.deferredAtRun = this.#seemsDeferred() ? this.#runs() : undefined;",
    replace: "sent.deferredAtRun = undefined;",
  },
  {
    name: "lostMessageForgotten",
    rule: "A workflow message that Pi dropped waits to be sent again.",
    file: COORDINATOR,
    find: "for (const intentId of this.#deliveries.takeLost()) this.#restore(intentId);",
    replace: "this.#deliveries.takeLost();",
  },
  {
    name: "lossUnnoticed",
    rule: "A message that Pi took and dropped is sent again.",
    file: DELIVERIES,
    find: "return sent.absence.looks >= LOOKS_UNTIL_LOST;",
    replace: "return sent.absence.looks >= LOOKS_UNTIL_LOST * 1_000_000;",
  },
  {
    name: "sendsUnlimited",
    rule: "A message is sent only so often, until a turn runs to its end.",
    file: DELIVERIES,
    find: "return this.#sendsOf(intentId) >= this.#options.maxSends;",
    replace: "return this.#sendsOf(intentId) >= this.#options.maxSends * 1_000_000;",
  },
  {
    name: "sendsNeverForgiven",
    rule: "After a turn that ran to its end every intent may be sent anew.",
    file: DELIVERIES,
    find: "if (sessionId === session.id) memory.sends.delete(intentId);",
    replace: "if (sessionId === session.id) memory.sends.get(intentId);",
  },
  {
    name: "claimKeptAfterRefusal",
    rule: "A send that throws gives its claim back.",
    file: DELIVERIES,
    find: "      this.#claims.release(sent);\n",
    replace: "",
  },
  {
    name: "sentMemoryKept",
    rule: "What was resolved is forgotten.",
    file: DELIVERIES,
    find: "    this.#options.memory.sent.delete(intentId);\n    this.#options.memory.takenOver.delete(intentId);",
    replace: "    this.#options.memory.takenOver.delete(intentId);",
  },
  {
    name: "renewalForgotten",
    rule: "A claim is renewed until its message was seen.",
    file: CLAIMS,
    find: "return now >= renewAt || renewAt > now + this.#options.deliveryLeaseMs;",
    replace: "return now >= renewAt + 1_000_000_000 || renewAt > now + this.#options.deliveryLeaseMs;",
  },
  {
    name: "idNotAdded",
    rule: "A workflow message names the intent that it resolves.",
    file: COORDINATOR,
    find: "message: withTurnIntentId(message, claim.intent.intentId),",
    replace: "message,",
  },
  {
    name: "promptNotValidatedAgain",
    rule: "A prompt that waits is asked before its send whether its step is still current.",
    file: QUEUE,
    find: "return asked.filter(({ isCurrent }) => isCurrent === true)",
    replace: "return asked.filter(({ isCurrent }) => isCurrent !== undefined)",
  },
  {
    name: "reminderOverwritesPrompt",
    rule: "A reminder never takes the place of a prompt that waits.",
    file: QUEUE,
    find: 'return newer.kind !== "reminder" || older.kind === "reminder";',
    replace: 'return newer.kind === "reminder" || older.kind !== "reminder";',
  },
  {
    name: "youngestFirst",
    rule: "The oldest message that is ready goes first.",
    file: COORDINATOR,
    find: ".sort((a, b) => a.since - b.since);",
    replace: ".sort((a, b) => b.since - a.since);",
  },
  {
    name: "timesComparedInTwoForms",
    rule: "Times are compared in one form.",
    file: COORDINATOR,
    find: "since: parseTimestamp(intent.eligibleAt ?? intent.requestedAt),",
    replace: "since: Number.parseInt(intent.eligibleAt ?? intent.requestedAt, 10),",
  },
  {
    name: "unreadyBlockTheRest",
    rule: "Intents that may not be sent now hold back none that may.",
    file: COORDINATOR,
    find: "if (ready.length > 0 || list.next === undefined) return ready;",
    replace: "if (ready.length >= 0 || list.next === undefined) return ready;",
  },
];

/** Mistakes in who may send, and when. */
const GATES: readonly Defect[] = [
  {
    name: "eligibleByTimeAlone",
    rule: "Time alone proves no failure.",
    file: COORDINATOR,
    find: "  #readyFallbacks(): readonly WorkflowTurnIntent[] {\n",
    replace: `  #readyFallbacks(): readonly WorkflowTurnIntent[] {
    const pending = { targetSessionId: this.#options.session.id, state: "pending", limit: PAGE } as const;
    for (const { intentId, requestedAt } of this.#options.store().listWorkflowTurnIntents(pending).intents) {
      const isOld = parseTimestamp(requestedAt) + this.#options.deliveryLeaseMs <= this.#options.now();
      if (isOld) this.#options.store().makeWorkflowTurnIntentEligible({ intentId });
    }
`,
  },
  {
    name: "sendInsideSessionStart",
    rule: "Nothing is sent from inside session_start.",
    file: BINDING,
    find: "    session.greet();\n",
    replace: "    session.greet();\n    session.pass();\n",
  },
  {
    name: "sendInsideSettlement",
    rule: "A process that lives on sends nothing from inside agent_settled.",
    file: GATE,
    find: 'return this.#life === "oneShot" && this.#phase === "settled" && this.#isClear();',
    replace: 'return this.#phase === "settled" && this.#isClear();',
  },
  {
    name: "promptIntoTheTurn",
    rule: "A prompt that is made while a turn is aborted waits for its settlement.",
    file: COORDINATOR,
    find: "if (natural.options.triggerTurn !== true)",
    replace: "if (natural.options.triggerTurn !== undefined)",
  },
  {
    name: "idleUnasked",
    rule: "Only an idle session is sent a message.",
    file: COORDINATOR,
    find: "if (!this.#options.session.isIdle() || this.#deliveries.hasUnseen()) return;",
    replace: "if (this.#deliveries.hasUnseen()) return;",
  },
  {
    name: "unseenUnasked",
    rule: "Until a message was seen, no other leaves.",
    file: COORDINATOR,
    find: "if (!this.#options.session.isIdle() || this.#deliveries.hasUnseen()) return;",
    replace: "if (!this.#options.session.isIdle()) return;",
  },
  {
    name: "hostDoesNotComeFirst",
    rule: "The process of the interruption comes first; another waits for a lease.",
    file: FALLBACK,
    find: 'return situation.hosted || isLeftToOthers(intent, situation) ? "ready" : "hostComesFirst";',
    replace: 'return situation.hosted || isLeftToOthers(intent, situation) ? "ready" : "ready";',
  },
  {
    name: "heldFallbackSent",
    rule: "The fallback of a held run waits.",
    file: FALLBACK,
    find: '  if (situation.held) return "held";\n',
    replace: "",
  },
  {
    name: "heldPromptSent",
    rule: "The prompt of a held run waits.",
    file: COORDINATOR,
    find: "    if (isHeld(runId)) return false;\n",
    replace: "",
  },
  {
    name: "naturalSuccessorOvertaken",
    rule: "A workflow message that waits makes a fallback of its run needless.",
    file: FALLBACK,
    find: '  if (situation.naturalWaiting) return "naturalWaiting";\n',
    replace: "",
  },
  {
    name: "shutdownIgnored",
    rule: "A closing session is sent nothing.",
    file: GATE,
    find: '    if (this.#abortedByClosing) this.#memory.silencedSessions.delete(this.#sessionId);\n    this.#phase = "closed";',
    replace: "    if (this.#abortedByClosing) this.#memory.silencedSessions.delete(this.#sessionId);",
  },
  {
    name: "preflightIgnored",
    rule: "While a prompt of the user is in preflight nothing is sent.",
    file: GATE,
    find: "  inputArrived(): void {\n    this.#preflightPasses = 0;",
    replace: "  inputArrived(): void {\n    this.#preflightPasses = undefined;",
  },
  {
    name: "ownAbortTakenForEscape",
    rule: "An abort of our own silences nobody.",
    file: GATE,
    find: 'if (this.#phase === "running") this.#memory.ownAborts.add(this.#sessionId);',
    replace: 'if (this.#phase === "closed") this.#memory.ownAborts.add(this.#sessionId);',
  },
  {
    name: "escapeTakenForOwnAbort",
    rule: "After Escape the session is silent.",
    file: GATE,
    find: 'aborted ? (this.#isOwnAbort() ? "ownAbort" : "userAbort") : "completed";',
    replace: 'aborted ? "ownAbort" : "completed";',
  },
  {
    name: "ownAbortFlagKept",
    rule: "The mark of our own abort lasts until the next run.",
    file: GATE,
    find: "    this.#memory.ownAborts.delete(this.#sessionId);\n",
    replace: "",
  },
  {
    name: "silenceWithoutEnd",
    rule: "The silence after Escape ends with the user's next message.",
    file: GATE,
    find: "  userReturned(): void {\n    this.#memory.silencedSessions.delete(this.#sessionId);",
    replace: "  userReturned(): void {\n    this.#memory.silencedSessions.has(this.#sessionId);",
  },
];

/** Mistakes in what an interruption owes, and in what a process remembers. */
const PROMISES: readonly Defect[] = [
  {
    name: "noAbortWithoutStore",
    rule: "A store that fails does not keep a turn from being aborted.",
    file: "src/turns/interruption.ts",
    find: 'attempt("abort", steps.abort);',
    replace: 'if (ensured?.status === "stored") attempt("abort", steps.abort);',
  },
  {
    name: "abortBeforeIntent",
    rule: "The intent is stored before the turn is aborted.",
    file: "src/turns/interruption.ts",
    find: '  const ensured = draft && attempt("persist", () => steps.persist(draft));',
    replace:
      '  attempt("abort early", steps.abort);\n  const ensured = draft && attempt("persist", () => steps.persist(draft));',
  },
  {
    name: "retryForgotten",
    rule: "An intent that the store could not take is stored later.",
    file: OBLIGATIONS,
    find: "if (!obligation.stored) this.#write(obligation);",
    replace: "if (obligation.stored) this.#write(obligation);",
  },
  {
    name: "provenanceKept",
    rule: "A process forgets an obligation that another process met.",
    file: OBLIGATIONS,
    find: "resolvedAt != null) this.met(draft.intentId);",
    replace: "resolvedAt === undefined) this.met(draft.intentId);",
  },
  {
    name: "presentationDueIgnored",
    rule: "A result that will be presented needs no fallback.",
    file: POLICY,
    find: 'return ending.endedBy === "workflow" && !ending.presentationDue;',
    replace: 'return ending.endedBy === "workflow";',
  },
  {
    name: "directCancelMakesEligible",
    rule: "A run that a person cancels owes no turn.",
    file: POLICY,
    find: 'return ending.endedBy === "workflow" && !ending.presentationDue;',
    replace: "return !ending.presentationDue;",
  },
  {
    name: "sentForgottenAtReload",
    rule: "What was sent is remembered for the process, not for the instance of the extension.",
    file: BOUND_SESSION,
    find: "  close(): void {\n",
    replace: "  close(): void {\n    this.#parts.memory.sent.clear();\n",
  },
  {
    name: "releaseAtShutdown",
    rule: "A claim whose message was sent and not seen is kept when the session closes.",
    file: BOUND_SESSION,
    find: "  close(): void {\n",
    replace: `  close(): void {
    for (const { intentId, claimToken } of this.#parts.memory.sent.values()) {
      if (claimToken !== undefined) this.store().releaseWorkflowTurnIntentClaim({ intentId, claimToken });
    }
`,
  },
];

export const TURN_DEFECTS: readonly Defect[] = [...DELIVERY, ...GATES, ...PROMISES];
