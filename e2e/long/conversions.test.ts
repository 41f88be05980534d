/** The whole journey: what the short run leaves out of it, too. */
import '../conversions.test.ts'
