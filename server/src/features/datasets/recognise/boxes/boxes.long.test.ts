/** The same, by the clock. */
import './boxes.test.ts'
