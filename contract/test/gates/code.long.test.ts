/** The same of all networks. */
import './code.test.ts'
