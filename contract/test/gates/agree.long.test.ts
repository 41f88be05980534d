/** The same of all networks. */
import './agree.test.ts'
