/** Environment variable that tells the Prisma generator where to write the model. */
export const MODEL_FILE_VARIABLE = "DEFERRED_TURNS_MODEL_FILE";
