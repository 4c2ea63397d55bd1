import { describePi } from "../support/piSuite/describePi.ts";
import { openRealPi } from "./support/openRealPi.ts";

describePi("real Pi", openRealPi);
