import { describeScenarios } from "./support/describeScenarios.ts";

describeScenarios("in several processes of real Pi", ["processes", "terminal"]);
