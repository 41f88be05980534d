/** The same, within the second of real time that the product promises. */
import './ending.test.ts'
