/** The same, by the clock. */
import './table-labels.test.ts'
