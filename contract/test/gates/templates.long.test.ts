/** The same of all networks. */
import './templates.test.ts'
