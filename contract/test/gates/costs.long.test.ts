/** The same of all networks. */
import './costs.test.ts'
