/** The same, by the clock. */
import './hostile.test.ts'
