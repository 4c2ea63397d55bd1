import { openFakePi } from "../support/openFakePi.ts";
import { describePiSession } from "../support/piSessionSuite.ts";

describePiSession("the fake", openFakePi);
