/** The custom type of a fallback (the specification, section Fallback delivery). */
export const FALLBACK_MESSAGE_TYPE = "pi-workflows-deferred-turn";

/** The custom type of a workflow's agent prompt, the natural successor that resolves an intent as `workflowPrompt`. */
export const STEP_MESSAGE_TYPE = "pi-workflows-step";

/** The custom type of a completed or waiting result, the natural successor that resolves an intent as `presentation`. */
export const RESULT_MESSAGE_TYPE = "pi-workflows-result";

/** The custom type of a workflow's own `progress` and `final` notifications, which start no turn. */
export const NOTIFICATION_MESSAGE_TYPE = "pi-workflows-notification";
