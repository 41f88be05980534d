/** The whole journey: what the short run leaves out of it, too. */
import '../bad-input.test.ts'
