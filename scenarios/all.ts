import { agentCancelled, agentCancelledAtOnce } from "./agentCancel.ts";
import { claimLost, claimLostThenEnded, liveOwner } from "./claimLost.ts";
import { controllerInterrupted } from "./controller.ts";
import { crashAfterFallback, crashAfterPrompt } from "./crashAfterSend.ts";
import { agentFails, commandFails, launchFailed, startCrashed } from "./failures.ts";
import { legacyStore, oldStore } from "./oldStore.ts";
import { donePresented, doneResolves, doneUnpresented, waitingPresented, waitingResolves } from "./presentations.ts";
import {
  cancelledWhilePromptWaits,
  paused,
  pausedWithEligibleIntent,
  pausedWithPendingIntent,
  userCancelled,
} from "./quiet.ts";
import type { Scenario } from "./scenario.ts";
import { cancelledThenRestarted, sessionShutdown } from "./sessionShutdown.ts";
import { forkInTurn, newSessionInTurn, reloadInTurn, resumeInTurn } from "./sessionSwitches.ts";
import { forked, treeAway } from "./sessionTree.ts";
import {
  startBehindSlowInput,
  startInPrint,
  startInPrintUnasked,
  startInRpc,
  startInTerminal,
} from "./startWithIntents.ts";
import { escapeInTerminal, quitInTerminal } from "./terminal.ts";
import { bothTimeOutUnsettled, recoveryTimesOut, stepRecovers, stepTimedOut } from "./timeouts.ts";
import { heldThenResumed, userHeld } from "./userHeld.ts";

/** Every row of the specification's event table, and the promises beside it, in the order in which they are shown. */
export const SCENARIOS: readonly Scenario[] = [
  agentCancelled,
  agentCancelledAtOnce,
  stepTimedOut,
  stepRecovers,
  recoveryTimesOut,
  bothTimeOutUnsettled,
  agentFails,
  commandFails,
  startCrashed,
  launchFailed,
  controllerInterrupted,
  claimLost,
  claimLostThenEnded,
  liveOwner,
  crashAfterPrompt,
  crashAfterFallback,
  donePresented,
  waitingPresented,
  doneResolves,
  waitingResolves,
  doneUnpresented,
  userCancelled,
  cancelledWhilePromptWaits,
  paused,
  pausedWithPendingIntent,
  pausedWithEligibleIntent,
  userHeld,
  heldThenResumed,
  escapeInTerminal,
  sessionShutdown,
  quitInTerminal,
  cancelledThenRestarted,
  newSessionInTurn,
  resumeInTurn,
  forkInTurn,
  reloadInTurn,
  treeAway,
  forked,
  startInRpc,
  startBehindSlowInput,
  startInTerminal,
  startInPrint,
  startInPrintUnasked,
  oldStore,
  legacyStore,
];
