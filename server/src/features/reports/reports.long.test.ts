/** The same, on paper in every language. */
import './reports.test.ts'
