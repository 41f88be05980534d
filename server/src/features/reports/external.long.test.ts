/** The same, on paper in every language. */
import './external.test.ts'
