import { describePiSession } from "../support/piSessionSuite.ts";
import { openRealPi } from "./support/openRealPi.ts";

describePiSession("real Pi", openRealPi);
