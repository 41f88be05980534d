/** The tabs of the social centre that are about people. */
export { AddressBook } from './address-book.tsx'
export { Fans } from './fans.tsx'
export { Friends } from './friends.tsx'
