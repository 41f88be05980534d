/** The same, on paper in every language. */
import './cross.test.ts'
