import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import { NOTIFICATION_MESSAGE_TYPE, RESULT_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../contracts/messageTypes.ts";
import type { NaturalMessage } from "../turns/naturalQueue.ts";
import type { Attempt } from "./runProgress.ts";

const STARTS_TURN = { deliverAs: "followUp", triggerTurn: true } as const;

const HOW_TO_END =
  'When the step is done, call the `workflow` tool with the action "complete" and its result; when it cannot be done, with the action "fail" and the reason.';

type RunName = Pick<RunRecord, "runId" | "workflowRef">;

/** The prompt of an agent step. */
export function stepPrompt(run: RunName, attempt: Attempt, text: string, isCurrent: () => boolean): NaturalMessage {
  const content = `Workflow "${run.workflowRef}" (run ${run.runId}), step "${attempt.nodeId}":\n\n${text}\n\n${HOW_TO_END}`;
  return stepMessage("workflowPrompt", run, attempt, content, isCurrent);
}

/** What an agent is told that ended its turn without ending its step. */
export function stepReminder(run: RunName, attempt: Attempt, isCurrent: () => boolean): NaturalMessage {
  const content = `Workflow "${run.workflowRef}" (run ${run.runId}) still waits for its step "${attempt.nodeId}". ${HOW_TO_END}`;
  return stepMessage("reminder", run, attempt, content, isCurrent);
}

/** The result of a run, or the question for which it waits. */
export function presentation(run: RunName, text: string, isCurrent: () => boolean): NaturalMessage {
  const { runId, workflowRef } = run;
  return {
    kind: "presentation",
    runId,
    stepKey: "$presentation",
    message: {
      customType: RESULT_MESSAGE_TYPE,
      content: `Workflow "${workflowRef}" (run ${runId}):\n\n${text}`,
      display: true,
      details: { runId },
    },
    options: STARTS_TURN,
    isCurrent,
  };
}

/** A passive notification: it is shown, and starts no turn. */
export function notification(run: RunName, nodeId: string, kind: "progress" | "final", text: string): NaturalMessage {
  const { runId } = run;
  return {
    kind: "workflowPrompt",
    runId,
    stepKey: nodeId,
    message: { customType: NOTIFICATION_MESSAGE_TYPE, content: text, display: true, details: { runId, nodeId, kind } },
    options: { triggerTurn: false },
    isCurrent: () => true,
  };
}

function stepMessage(
  kind: "workflowPrompt" | "reminder",
  { runId }: RunName,
  { nodeId, attemptId }: Attempt,
  content: string,
  isCurrent: () => boolean,
): NaturalMessage {
  return {
    kind,
    runId,
    stepKey: `${nodeId}/${attemptId}`,
    message: { customType: STEP_MESSAGE_TYPE, content, display: true, details: { runId, nodeId, attemptId } },
    options: STARTS_TURN,
    isCurrent,
  };
}
