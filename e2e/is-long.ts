/** `npm run test:long` rather than `npm test`. */
export const isLong = process.env.TESTS === 'long'
