/** What features to the right may use: they sell by orders, and their sales stand in the books. */
export type { Goods } from './goods.ts'
export { lockMember } from './lock.ts'
export { isTrial, methodsOf } from './methods.ts'
export { newNumber } from './number.ts'
export { methodOf, placeOrder, requireCalm, requireTime, withQr } from './place.ts'
export { refundIn } from './refund.ts'
export { bookRecorded, bookRefunded, bookSale, type Sale, shareOf } from './sales/book.ts'
export { tell } from './tell.ts'
