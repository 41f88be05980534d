/** The whole journey, and the wallet in each language. */
import '../shop.test.ts'
