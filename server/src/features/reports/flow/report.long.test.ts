/** The same, on paper in every language. */
import './report.test.ts'
