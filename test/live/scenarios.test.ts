import { describeScenarios } from "./support/describeScenarios.ts";

describeScenarios("in one process of real Pi", ["sdk"]);
